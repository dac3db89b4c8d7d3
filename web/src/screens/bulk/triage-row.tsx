import { actionOf } from '@assay/sdk';
import { IndicatorLink } from '../../box/indicator-link.tsx';
import { fileNameOf } from '../../service/file-names.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { visibleText } from '../../ui/visible-parts.ts';
import { exact } from '../../words/numbers.ts';
import { pageOf } from './bulk-order.ts';
import { setSelected, useSelected } from './bulk-run.ts';
import { rememberOrder } from './opened-row.ts';
import css from './triage-table.module.css';
import { scoreOf, type TriageRow, toggled } from './triage-view.ts';
import { typeWord } from './type-words.ts';

export function TriageRowView({
  triage,
  shown,
  index,
  topPx,
  measure,
  isSelected,
  isCurrent,
  hasErrors,
  becomeCurrent,
}: {
  triage: TriageRow;
  shown: readonly TriageRow[];
  index: number;
  topPx: number;
  measure: (element: Element | null) => void;
  isSelected: boolean;
  isCurrent: boolean;
  hasErrors: boolean;
  becomeCurrent: () => void;
}) {
  const { row, verdict } = triage;
  const page = pageOf(triage);
  const fileName = fileNameOf(row.entity);
  const selected = useSelected();
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements.
    // biome-ignore lint/a11y/useFocusableInteractive: the link inside is focusable.
    <div
      role="row"
      ref={measure}
      className={css.row}
      aria-rowindex={index + 2}
      data-index={index}
      data-row={index}
      data-selected={isSelected || undefined}
      data-current={isCurrent || undefined}
      style={{ transform: `translateY(${topPx}px)` }}
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
      <Cell name="verdict">
        <VerdictMark tone={verdict.tone} word={verdict.word} />
      </Cell>
      <Cell name="score" isNumber>
        {scoreOf(triage) ?? '–'}
      </Cell>
      <Cell name="indicator">
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
        {fileName !== null && (
          <span className={css.file}>
            <InertText>{fileName}</InertText>
          </span>
        )}
      </Cell>
      <Cell name="type">{typeWord(row.type)}</Cell>
      <Cell name="sources" isNumber>
        {exact(row.sources)}
        <span className={css.unit}> {row.sources === 1 ? 'source' : 'sources'}</span>
      </Cell>
      <Cell name="categories">
        <InertText>{row.categories.join(', ')}</InertText>
      </Cell>
      <Cell name="action">
        {row.recommendedAction !== undefined && (
          <span title={actionOf(row.recommendedAction)}>{capitalized(row.recommendedAction)}</span>
        )}
      </Cell>
      {hasErrors && <Cell name="error">{row.error !== null && <InertText>{row.error}</InertText>}</Cell>}
    </div>
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

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
