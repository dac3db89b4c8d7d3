import { exact } from '../words/numbers.ts';
import css from './type-chip.module.css';
import type { Box } from './use-box.ts';

export function TypeChip({ box: { reading, way, chooseWay } }: { box: Box }) {
  if (reading?.kind === 'list') return <span className={css.chip}>{exact(reading.count)} indicators</span>;
  if (reading?.kind !== 'one') return null;
  const { ways } = reading;
  if (ways.length === 1) return <span className={css.chip}>{ways[0].word}</span>;
  return (
    <select
      className={css.choice}
      aria-label="Check it as"
      value={way}
      onChange={({ target }) => chooseWay(Number(target.value))}
    >
      {ways.map(({ word }, index) => (
        <option key={word} value={index}>
          {word}
        </option>
      ))}
    </select>
  );
}
