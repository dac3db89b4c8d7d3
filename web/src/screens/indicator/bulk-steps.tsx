import { useMemo } from 'react';
import { IndicatorLink } from '../../box/indicator-link.tsx';
import { openIndicator } from '../../box/open-indicator.ts';
import { type Action, useActions } from '../../frame/actions.ts';
import { exact } from '../../words/numbers.ts';
import { neighboursOf, storedOrder } from './bulk-order.ts';
import css from './bulk-steps.module.css';
import type { CheckTarget } from './check-state.ts';

/** "3 of 212": steps through a bulk result page by page. Shown only when the indicator was opened from a bulk list. */
export function BulkSteps({ target: { type, value } }: { target: CheckTarget }) {
  const neighbours = useMemo(() => neighboursOf(storedOrder(), { type, value }), [type, value]);
  useActions(
    useMemo<readonly Action[]>(() => {
      const { previous = null, next = null } = neighbours ?? {};
      const step = (id: string, title: string, keys: string, to: CheckTarget | null): readonly Action[] =>
        to === null ? [] : [{ id, title, group: 'This page', keys, run: () => openIndicator(to) }];
      return [
        ...step('bulk-previous', 'Previous of the bulk list', '[', previous),
        ...step('bulk-next', 'Next of the bulk list', ']', next),
      ];
    }, [neighbours]),
  );
  if (neighbours === null) return null;
  const { position, total, previous, next } = neighbours;
  return (
    <nav className={css.steps} aria-label="Bulk list">
      <span>
        {exact(position)} of {exact(total)}
      </span>
      {previous !== null && (
        <IndicatorLink target={previous}>
          Previous <kbd>[</kbd>
        </IndicatorLink>
      )}
      {next !== null && (
        <IndicatorLink target={next}>
          Next <kbd>]</kbd>
        </IndicatorLink>
      )}
    </nav>
  );
}
