import type { Tone } from '../ui/verdict-mark.tsx';
import css from './verdict-bar.module.css';

export type VerdictPart = {
  readonly id: string;
  readonly word: string;
  readonly tone: Tone;
  readonly count: number;
};

/**
 * One bar, its parts as long as their counts, worst first. A press filters, as the chips beside it do: those carry the
 * words and the numbers for the keyboard and for screen readers, so this one is for the eye and the pointer only.
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
