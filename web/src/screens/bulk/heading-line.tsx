import { exact } from '../../words/numbers.ts';
import { DECISION_WORDS } from './decision.ts';
import type { Line } from './table-lines.ts';
import type { LinePlace } from './triage-row.tsx';
import css from './triage-table.module.css';

/** The head of a group or of a part of it, as one cell over all columns. */
export function HeadingLine({
  heading,
  place,
  span,
}: {
  heading: Exclude<Line, { kind: 'row' }>;
  place: LinePlace;
  span: number;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements.
    // biome-ignore lint/a11y/useFocusableInteractive: a heading does nothing.
    <div
      role="row"
      ref={place.measure}
      className={css.heading}
      aria-rowindex={place.line + 2}
      data-index={place.line}
      data-kind={heading.kind}
      style={{ transform: `translateY(${place.topPx}px)` }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements. */}
      <div role="cell" aria-colspan={span}>
        {heading.kind === 'group' ? (
          <h3>
            {DECISION_WORDS[heading.decision].title} <b>{exact(heading.count)}</b>
          </h3>
        ) : (
          <>
            <h4>
              {heading.part.title} <b>{exact(heading.count)}</b>
            </h4>{' '}
            {heading.part.note !== '' && <span className={css.why}>{heading.part.note}</span>}
          </>
        )}
      </div>
    </div>
  );
}
