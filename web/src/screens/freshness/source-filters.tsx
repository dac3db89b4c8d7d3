import type { DatasetStatus } from '@assay/sdk';
import { exact } from '../../words/numbers.ts';
import css from './freshness.module.css';
import { countOf, STATUSES } from './freshness-words.ts';
import { kindsOf, type SourceFilter } from './group-sources.ts';
import { StatusShape } from './status-shape.tsx';

export function SourceFilters({
  datasets,
  filter,
  change,
}: {
  datasets: readonly DatasetStatus[];
  filter: SourceFilter;
  change: (filter: SourceFilter) => void;
}) {
  return (
    <search className={css.filters} aria-label="Sources">
      <input
        type="search"
        className={css.find}
        aria-label="Find a source"
        placeholder="Find a source"
        value={filter.text}
        onChange={({ target }) => change({ ...filter, text: target.value })}
      />
      <select
        className={css.kinds}
        aria-label="Kind of source"
        value={filter.kind ?? ''}
        onChange={({ target }) => change({ ...filter, kind: target.value === '' ? null : target.value })}
      >
        <option value="">All kinds</option>
        {kindsOf(datasets).map(({ kind, word, count }) => (
          <option key={kind} value={kind}>
            {word} ({exact(count)})
          </option>
        ))}
      </select>
      <fieldset className={css.states}>
        <legend className="visually-hidden">Show only</legend>
        {STATUSES.map(({ status, word }) => (
          <button
            key={status}
            type="button"
            className={css.filter}
            aria-pressed={filter.status === status}
            disabled={countOf(datasets, status) === 0 && filter.status !== status}
            onClick={() => change({ ...filter, status: filter.status === status ? null : status })}
          >
            <StatusShape status={status} /> {word} {exact(countOf(datasets, status))}
          </button>
        ))}
      </fieldset>
    </search>
  );
}
