import { InertText } from '../../../ui/inert-text.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { plural } from '../../../words/numbers.ts';
import css from './history-changes.module.css';
import type { ListChange } from './history-line.ts';

const SHOWN_MAX = 50;

/** Folded, so that its height is one line however much changed. */
export function ChangesOfLists({ changes }: { changes: readonly ListChange[] }) {
  if (changes.length === 0) return null;
  return (
    <details className={css.changes}>
      <summary>{plural(changes.length, 'change of a list', 'changes of lists')}</summary>
      <ol className={css.list}>
        {changes.slice(0, SHOWN_MAX).map(({ at, source, what }) => (
          <li key={`${at} ${source} ${what}`}>
            <Moment at={at} form="absolute" /> <InertText>{source}</InertText> {what}
          </li>
        ))}
      </ol>
      {changes.length > SHOWN_MAX && (
        <p className="note">The newest {SHOWN_MAX}. The API has the others: GET /threat-intel/history.</p>
      )}
    </details>
  );
}
