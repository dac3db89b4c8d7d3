import type { Tone } from '../ui/verdict-mark.tsx';
import css from './verdict-bar.module.css';

export type VerdictPart = {
  readonly id: string;
  readonly word: string;
  readonly tone: Tone;
  readonly count: number;
};

/**
 * One bar whose parts are as long as their counts. A press filters like the chips beside it. Those carry the words and
 * numbers for the keyboard and screen readers, so this bar is hidden from both.
 */
export function VerdictBar({
  parts,
  pressed,
  toggle,
}: {
  parts: readonly VerdictPart[];
  pressed: ReadonlySet<string>;
  toggle: (id: string) => void;
}) {
  return (
    <div className={css.bar} aria-hidden="true">
      {parts.map(({ id, word, tone, count }) => (
        <button
          key={id}
          type="button"
          tabIndex={-1}
          className={css.part}
          style={{ flexGrow: count }}
          data-tone={tone}
          data-verdict={id}
          data-off={(pressed.size > 0 && !pressed.has(id)) || undefined}
          title={`${word}: ${count}`}
          onClick={() => toggle(id)}
        />
      ))}
    </div>
  );
}
