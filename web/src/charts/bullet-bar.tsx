import css from './bullet-bar.module.css';

/**
 * Age against the promised interval: the bar is the age, the mark the promise. Beyond twice the promise the bar ends in
 * a torn edge.
 */
export function BulletBar({ value, mark, label }: { value: number; mark: number; label: string }) {
  const scaleMax = mark * 2;
  const isOver = value > scaleMax;
  return (
    <span className={css.track} role="img" aria-label={label} title={label}>
      <span
        className={css.bar}
        data-late={value > mark || undefined}
        data-torn={isOver || undefined}
        style={{ width: `${Math.min(100, (100 * value) / scaleMax)}%` }}
      />
      <span className={css.mark} />
    </span>
  );
}
