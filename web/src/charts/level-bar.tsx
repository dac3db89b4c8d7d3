import { VerdictMark } from '../ui/verdict-mark.tsx';
import { exact } from '../words/numbers.ts';
import css from './level-bar.module.css';
import { drawnShares, type LevelPart, levelShares } from './level-shares.ts';

export function LevelBar({ parts, label }: { parts: readonly LevelPart[]; label: string }) {
  const shares = levelShares(parts);
  return (
    <figure>
      <div className={css.bar} role="img" aria-label={label}>
        {drawnShares(shares).map(({ id, level, tone, percent }) => (
          <span
            key={id}
            className={css.part}
            data-tone={tone}
            data-level={level}
            style={{ width: `${percent}%` }}
          />
        ))}
      </div>
      <ul className={css.words}>
        {shares.map(({ id, word, tone, count, percent }) => (
          <li key={id}>
            <VerdictMark tone={tone} word={word} /> <span className={css.count}>{exact(count)}</span>{' '}
            <span className="note">{percent.toFixed(1)} %</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
