import { actionOf } from '@assay/sdk';
import { IndicatorLink } from '../../box/indicator-link.tsx';
import { fileNameOf } from '../../service/file-names.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { visibleText } from '../../ui/visible-parts.ts';
import { exact } from '../../words/numbers.ts';
import { pageOf } from './bulk-order.ts';
import { setSelected, useSelected } from './bulk-run.ts';
import { sharedWord } from './decision.ts';
import { rememberOrder } from './opened-row.ts';
import type { Column } from './table-columns.ts';
import css from './triage-table.module.css';
import { scoreOf, seenOf, type TriageRow, toggled } from './triage-view.ts';

export type LinePlace = {
  /** The index of the line in the table, headings included. */
  readonly line: number;
  readonly topPx: number;
  readonly measure: (element: Element | null) => void;
};

export function TriageRowView({
  triage,
  shown,
  index,
  place,
  columns,
  isSelected,
  isCurrent,
  becomeCurrent,
}: {
  triage: TriageRow;
  shown: readonly TriageRow[];
  index: number;
  place: LinePlace;
  columns: readonly Column[];
  isSelected: boolean;
  isCurrent: boolean;
  becomeCurrent: () => void;
}) {
  const { row } = triage;
  const selected = useSelected();
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements.
    // biome-ignore lint/a11y/useFocusableInteractive: the link inside is focusable.
    <div
      role="row"
      ref={place.measure}
      className={css.row}
      aria-rowindex={place.line + 2}
      data-index={place.line}
      data-row={index}
      data-selected={isSelected || undefined}
      data-current={isCurrent || undefined}
      style={{ transform: `translateY(${place.topPx}px)` }}
      onFocus={becomeCurrent}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements. */}
      <span role="cell" className={css.tick}>
        <input
          type="checkbox"
          aria-label={visibleText(`Select ${row.entity}`)}
          checked={isSelected}
          onChange={() => setSelected(toggled(selected, row.entity))}
        />
      </span>
      {columns.map(({ name, isNumber = false }) => (
        <Cell key={name} name={name} isNumber={isNumber}>
          <Content name={name} triage={triage} shown={shown} />
        </Cell>
      ))}
    </div>
  );
}

function Content({
  name,
  triage,
  shown,
}: {
  name: Column['name'];
  triage: TriageRow;
  shown: readonly TriageRow[];
}) {
  const { row, verdict } = triage;
  switch (name) {
    case 'verdict':
      return (
        <>
          <VerdictMark tone={verdict.tone} word={verdict.word} />
          {row.recommendedAction === 'escalate' && (
            <span className={css.below} title={actionOf(row.recommendedAction)}>
              Escalate
            </span>
          )}
        </>
      );
    case 'score':
      return scoreOf(triage) ?? '–';
    case 'indicator':
      return <Indicator triage={triage} shown={shown} />;
    case 'sources':
      return (
        <>
          {exact(row.sources)}
          <span className={css.unit}> {row.sources === 1 ? 'source' : 'sources'}</span>
        </>
      );
    case 'seen':
      return <Seen triage={triage} />;
    case 'network':
      return (
        <span className={css.network} title={visibleText(textOf(name, triage))}>
          <InertText>{textOf(name, triage)}</InertText>
        </span>
      );
    default:
      return <InertText>{textOf(name, triage)}</InertText>;
  }
}

function textOf(name: 'cause' | 'family' | 'network' | 'country', { row }: TriageRow): string {
  switch (name) {
    case 'cause':
      return row.categories.join(', ');
    case 'family':
      return row.malwareFamily ?? '';
    case 'network':
      return row.asn === undefined ? '' : `AS${row.asn} ${row.asnName ?? ''}`.trim();
    case 'country':
      return row.countryCode ?? '';
  }
}

function Seen({ triage }: { triage: TriageRow }) {
  const { lastSeen, firstSeen } = triage.row;
  const day = seenOf(triage);
  if (day === undefined) return null;
  const at = lastSeen ?? firstSeen;
  return (
    <time dateTime={at} title={`${lastSeen === undefined ? 'Listed since' : 'Last seen'} ${at}`}>
      {lastSeen === undefined && <span className={css.since}>since </span>}
      {day}
    </time>
  );
}

function Indicator({ triage, shown }: { triage: TriageRow; shown: readonly TriageRow[] }) {
  const { row } = triage;
  const page = pageOf(triage);
  const fileName = fileNameOf(row.entity);
  const below = [fileName, sharedWord(row), row.error].filter((text) => text !== null);
  return (
    <>
      {page === null ? (
        <span tabIndex={-1} data-row-focus="">
          <InertText mono>{row.entity}</InertText>
        </span>
      ) : (
        <IndicatorLink
          target={page}
          className={css.link}
          data-row-focus=""
          onClickCapture={() => rememberOrder(shown, triage)}
        >
          <InertText mono>{row.entity}</InertText>
        </IndicatorLink>
      )}
      {below.map((text) => (
        <span key={text} className={css.below}>
          <InertText>{text}</InertText>
        </span>
      ))}
    </>
  );
}

const Cell = ({
  name,
  isNumber = false,
  children,
}: {
  name: string;
  isNumber?: boolean;
  children: React.ReactNode;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements.
  <span role="cell" data-cell={name} className={isNumber ? css.number : undefined}>
    {children}
  </span>
);
