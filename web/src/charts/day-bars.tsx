import { scaleLinear } from 'd3-scale';
import { exact, short } from '../words/numbers.ts';
import { ChartTable } from './chart-table.tsx';
import css from './day-bars.module.css';
import { useWidth } from './use-width.ts';

export type Day = { readonly day: string; readonly added: number; readonly removed: number };

const HEIGHT_PX = 168;
const LEFT_PX = 52;
const BOTTOM_PX = 22;
const GAP_PX = 2;
const LABEL_EVERY = 7;

type DayBarsProps = {
  readonly days: readonly Day[];
  readonly label: string;
  /** What `added` and `removed` count; with one name, `removed` is not drawn. */
  readonly names?: readonly [string] | readonly [string, string];
};

export function DayBars({ days, label, names = ['Added', 'Removed'] }: DayBarsProps) {
  const [frame, width] = useWidth<HTMLDivElement>();
  return (
    <figure>
      <div ref={frame} className={css.frame} style={{ height: HEIGHT_PX }}>
        {width > 0 && <Drawing days={days} width={width} label={label} names={names} />}
      </div>
      <ChartTable
        caption={label}
        columns={['Day (UTC)', ...names]}
        rows={days.map(({ day, added, removed }) => [day, added, removed].slice(0, names.length + 1))}
      />
    </figure>
  );
}

function Drawing({ days, width, label, names }: Required<DayBarsProps> & { width: number }) {
  const top = Math.max(1, ...days.map(({ added }) => added));
  const bottom = Math.max(0, ...days.map(({ removed }) => removed));
  const y = scaleLinear([top, -bottom], [6, HEIGHT_PX - BOTTOM_PX]).nice(4);
  const step = (width - LEFT_PX) / Math.max(1, days.length);
  const bar = Math.max(1, step - GAP_PX);
  return (
    <svg width={width} height={HEIGHT_PX} role="img" aria-label={label}>
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line
            x1={LEFT_PX}
            x2={width}
            y1={y(tick)}
            y2={y(tick)}
            className={tick === 0 ? css.zero : css.grid}
          />
          <text x={LEFT_PX - 8} y={y(tick) + 4} className={css.tick} textAnchor="end">
            {short(Math.abs(tick))}
          </text>
        </g>
      ))}
      {days.map(({ day, added, removed }, index) => {
        const x = LEFT_PX + index * step + GAP_PX / 2;
        return (
          <g key={day}>
            <title>
              {`${day}: ${names.map((name, nth) => `${exact(nth === 0 ? added : removed)} ${name.toLowerCase()}`).join(', ')}`}
            </title>
            <rect x={x} y={y(added)} width={bar} height={y(0) - y(added)} className={css.added} />
            <rect
              x={x + 0.5}
              y={y(0) + 0.5}
              width={Math.max(0, bar - 1)}
              height={Math.max(0, y(-removed) - y(0) - 0.5)}
              className={css.removed}
            />
            {(days.length - 1 - index) % LABEL_EVERY === 0 && (
              <text
                x={x + bar / 2}
                y={HEIGHT_PX - 4}
                className={css.tick}
                textAnchor={index === days.length - 1 ? 'end' : 'middle'}
              >
                {day.slice(5)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
