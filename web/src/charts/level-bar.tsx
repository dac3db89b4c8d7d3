import { type Tone, VerdictMark } from '../ui/verdict-mark.tsx';
import { exact } from '../words/numbers.ts';
import css from './level-bar.module.css';

export type LevelPart = {
  readonly id: string;
  /** Decides the shade; several words may have one level. */
  readonly level: string;
  readonly word: string;
  readonly tone: Tone;
  readonly count: number;
};

export function LevelBar({ parts, label }: { parts: readonly LevelPart[]; label: string }) {
  const total = Math.max(
    1,
    parts.reduce((sum, { count }) => sum + count, 0),
  );
  return (
    <figure>
      <div className={css.bar} role="img" aria-label={label}>
        {parts.map(({ id, level, tone, count }) => (
          <span
            key={id}
            className={css.part}
            data-tone={tone}
            data-level={level}
            style={{ width: `${(100 * count) / total}%` }}
          />
        ))}
      </div>
      <ul className={css.words}>
        {parts.map(({ id, word, tone, count }) => (
          <li key={id}>
            <VerdictMark tone={tone} word={word} /> <span className={css.count}>{exact(count)}</span>{' '}
            <span className="note">{((100 * count) / total).toFixed(1)} %</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
