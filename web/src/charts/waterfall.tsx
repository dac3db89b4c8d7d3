import type { Infrastructure, RiskScore } from '@assay/sdk';
import type { Tone } from '../ui/verdict-mark.tsx';
import { visibleText } from '../ui/visible-parts.ts';
import { ChartTable } from './chart-table.tsx';
import css from './waterfall.module.css';
import { placeOfPoints, sentenceOf, toRows, type WaterfallRow } from './waterfall-rows.ts';

export type WaterfallProps = {
  readonly score: RiskScore | null;
  readonly sources?: readonly { readonly id: string; readonly name: string }[] | undefined;
  readonly infrastructure?: Infrastructure | undefined;
  readonly tone?: Tone | undefined;
  readonly picked?: string | null | undefined;
  readonly onPick?: ((factor: string | null) => void) | undefined;
};

/**
 * How the factors add up to the score: each starts where the previous one ended. Rows have a fixed height and positions
 * in percent, so letters keep their size at any width and nothing has to be measured.
 */
export function Waterfall({
  score,
  sources,
  infrastructure,
  tone = 'suspicious',
  picked = null,
  onPick,
}: WaterfallProps) {
  const rows = score === null ? [] : toRows(score, sources, infrastructure);
  return (
    <figure className={css.figure} data-state={score === null ? 'loading' : 'ready'}>
      <figcaption className="note">How the score adds up</figcaption>
      {score !== null && (
        <>
          <div className={css.plot} data-evidence={tone}>
            <div role="img" aria-label={visibleText(sentenceOf(rows))}>
              {rows.map((row, index) => (
                <Row
                  key={row.id}
                  row={row}
                  joins={index > 0 && row.kind !== 'total'}
                  isDimmed={isDimmed(row, picked)}
                />
              ))}
              <div className={css.axis}>
                <span>0</span>
                <span>100</span>
              </div>
            </div>
            {onPick !== undefined && <Picks rows={rows} picked={picked} onPick={onPick} />}
          </div>
          <ChartTable
            caption="How the score adds up"
            columns={['Factor', 'Points', 'Why']}
            rows={rows.map(({ label, points, description }) => [label, points, description])}
          />
        </>
      )}
    </figure>
  );
}

const isDimmed = ({ id, kind }: WaterfallRow, picked: string | null): boolean =>
  picked !== null && picked !== id && kind !== 'total';

function Row({ row, joins, isDimmed }: { row: WaterfallRow; joins: boolean; isDimmed: boolean }) {
  const start = Math.min(row.from, row.to);
  const end = Math.max(row.from, row.to);
  const place = placeOfPoints(row);
  return (
    <div className={css.row} data-kind={row.kind} data-dimmed={isDimmed} data-empty={start === end}>
      <span className={css.label} title={visibleText(row.label)}>
        {visibleText(row.label)}
      </span>
      <span className={css.track}>
        {joins && <span className={css.join} style={{ left: `${row.from}%` }} />}
        <span className={css.bar} style={{ left: `${start}%`, width: `${end - start}%` }} />
        <span className={css.points} data-place={place} style={placed(place, start, end)}>
          {row.points}
        </span>
      </span>
    </div>
  );
}

const placed = (place: ReturnType<typeof placeOfPoints>, start: number, end: number): React.CSSProperties => {
  if (place === 'after') return { left: `${end}%` };
  return { right: `${100 - (place === 'inside' ? end : start)}%` };
};

/** The buttons that pick a row. They lie over the chart, because an element of `role="img"` cannot contain any. */
function Picks({
  rows,
  picked,
  onPick,
}: {
  rows: readonly WaterfallRow[];
  picked: string | null;
  onPick: (factor: string | null) => void;
}) {
  return (
    <div className={css.picks}>
      {rows
        .filter(({ kind, id }) => kind !== 'total' && kind !== 'context' && id !== 'rest')
        .map(({ id, label }) => (
          <button
            key={id}
            type="button"
            className={css.pick}
            style={{ gridRow: rows.findIndex((row) => row.id === id) + 1 }}
            aria-pressed={picked === id}
            aria-label={visibleText(`Show only ${label} in the sources`)}
            onClick={() => onPick(picked === id ? null : id)}
          />
        ))}
    </div>
  );
}
