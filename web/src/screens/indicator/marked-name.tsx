import { readableLabel } from '@assay/server/punycode';
import { visibleText } from '../../ui/visible-parts.ts';
import { letterParts } from './lookalike-letters.ts';
import css from './verdict-block.module.css';

/** A name beside the one it imitates, with its foreign or changed letters marked and named. */
export function MarkedName({ value, of }: { value: string; of: string }) {
  const parts = letterParts(readableName(value, of.split('.').length), of);
  if (parts === null) return null;
  const notes = [...new Set(parts.flatMap(({ note }) => (note === null ? [] : [note])))];
  return (
    <span className={css.marked}>
      <bdi className="indicator">
        {parts.map(({ text, note }, index) =>
          note === null ? (
            visibleText(text)
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the letters of one name have no other identity.
            <mark key={index} title={note}>
              {visibleText(text)}
            </mark>
          ),
        )}
      </bdi>
      : {notes.join(', ')}
    </span>
  );
}

/** The last labels of a name in Unicode. Subdomains are left out, because they are no part of the imitation. */
const readableName = (value: string, labels: number): string =>
  value.split('.').slice(-labels).map(readableLabel).join('.');
