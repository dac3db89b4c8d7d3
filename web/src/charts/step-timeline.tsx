import { scaleLinear, scaleUtc } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { DAY_MS } from '../words/time.ts';
import { ChartTable } from './chart-table.tsx';
import css from './step-timeline.module.css';
import {
  countMarks,
  dayOf,
  type TimelineStep,
  type TimelineTick,
  timelineSentence,
} from './timeline-scale.ts';
import { useWidth } from './use-width.ts';

export type StepTimelineProps = {
  readonly steps: readonly TimelineStep[];
  readonly ticks: readonly TimelineTick[];
  readonly fromMs: number;
  readonly toMs: number;
};

const HEIGHT_PX = 150;
/** Height without a count line: only the axis and the ticks. */
const AXIS_PX = 64;
const MARGIN = { top: 10, right: 16, bottom: 44, left: 28 } as const;

export function StepTimeline(props: StepTimelineProps) {
  const { steps, ticks } = props;
  const [ref, width] = useWidth<HTMLDivElement>();
  return (
    <figure className={css.figure}>
      <div ref={ref} className={css.frame}>
        {width > 0 && <Drawing {...props} width={width} />}
      </div>
      <ol className={css.legend}>
        {ticks.map(({ label, atMs }, index) => (
          <li key={`${label} ${atMs}`}>
            <span className={css.key}>{index + 1}</span> {label} <span className="mono">{dayOf(atMs)}</span>
          </li>
        ))}
      </ol>
      <ChartTable
        caption="Sources listing it over time"
        columns={['Date (UTC)', 'What', 'Sources listing']}
        rows={[
          ...steps
            .filter(({ count }, index) => index === 0 || count !== steps[index - 1]?.count)
            .map(({ atMs, count }) => [dayOf(atMs), 'listed by', count]),
          ...ticks.map(({ atMs, label }) => [dayOf(atMs), label, '']),
        ]}
      />
    </figure>
  );
}

function Drawing({ steps, ticks, fromMs, toMs, width }: StepTimelineProps & { width: number }) {
  const height = steps.length === 0 ? AXIS_PX : HEIGHT_PX;
  const max = Math.max(1, ...steps.map(({ count }) => count));
  const x = scaleUtc([fromMs, toMs], [MARGIN.left, width - MARGIN.right]);
  const y = scaleLinear([0, max], [height - MARGIN.bottom, MARGIN.top]);
  const last = steps.at(-1);
  const path = line<TimelineStep>(
    ({ atMs }) => x(atMs),
    ({ count }) => y(count),
  ).curve(curveStepAfter)([...steps, ...(last === undefined ? [] : [{ ...last, atMs: toMs }])]);
  const name = x.tickFormat(undefined, dateForm(toMs - fromMs));
  return (
    <svg width={width} height={height} role="img" aria-label={timelineSentence(steps, ticks)}>
      {(steps.length === 0 ? [0] : countMarks(max)).map((count) => (
        <g key={count} className={css.mark} transform={`translate(0 ${y(count)})`}>
          <line x1={MARGIN.left} x2={width - MARGIN.right} data-base={count === 0} />
          {steps.length > 0 && (
            <text x={MARGIN.left - 8} dy="4" textAnchor="end">
              {count}
            </text>
          )}
        </g>
      ))}
      {x.ticks(Math.max(2, Math.floor(width / 150))).map((at) => (
        <text
          key={at.getTime()}
          className={css.date}
          x={x(at)}
          y={height - 4}
          textAnchor={x(at) > width - EDGE_PX ? 'end' : 'middle'}
        >
          {name(at)}
        </text>
      ))}
      {path !== null && <path d={path} className={css.line} />}
      {placed(ticks, x, fromMs).map(({ key, left }) => (
        <g key={key} transform={`translate(${left} ${height - MARGIN.bottom})`} className={css.tick}>
          <line y2="8" />
          <text y="20" textAnchor="middle">
            {key}
          </text>
        </g>
      ))}
    </svg>
  );
}

const EDGE_PX = 44;
/** Hours for a span below 3 days, days below 400 days, months above. */
const dateForm = (spanMs: number): string =>
  spanMs < 3 * DAY_MS ? '%-d %b %H:%M' : spanMs < 400 * DAY_MS ? '%-d %b' : '%b %Y';

const APART_PX = 12;

/** Keeps tick numbers 12 px apart. An event before the start of the axis is placed at its left end. */
function placed(
  ticks: readonly TimelineTick[],
  x: (atMs: number) => number,
  fromMs: number,
): readonly { readonly key: number; readonly left: number }[] {
  let last = Number.NEGATIVE_INFINITY;
  return ticks.map(({ atMs }, index) => {
    const left = Math.max(x(Math.max(fromMs, atMs)), last + APART_PX);
    last = left;
    return { key: index + 1, left };
  });
}
