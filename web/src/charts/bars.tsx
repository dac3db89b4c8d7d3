import { visibleText } from '../ui/visible-parts.ts';
import { exact } from '../words/numbers.ts';
import css from './bars.module.css';

export type Bar = {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  readonly share: string;
  /** Shown instead of the label, such as a link to the page of what the bar counts. */
  readonly name?: React.ReactNode;
};

export function Bars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const longest = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <ul className={css.bars} aria-label={label}>
      {bars.map(({ id, label: text, count, share, name }) => (
        <li key={id} className={css.row}>
          <span className={css.name}>{name ?? visibleText(text)}</span>
          <span className={css.track} aria-hidden="true">
            <span className={css.bar} style={{ width: `${(100 * count) / longest}%` }} />
          </span>
          <span className={css.count}>{exact(count)}</span>
          <span className={css.share}>{share}</span>
        </li>
      ))}
    </ul>
  );
}
