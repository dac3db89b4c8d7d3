import type { DatasetStatus } from '@assay/sdk';
import { useState } from 'react';
import { BulletBar } from '../../charts/bullet-bar.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { exact } from '../../words/numbers.ts';
import css from './freshness.module.css';
import { ageSentence, countOf, hours, STATUSES, type Status, statusWord } from './freshness-words.ts';

export function DatasetTable({ datasets }: { datasets: readonly DatasetStatus[] }) {
  const [only, setOnly] = useState<Status | null>(null);
  const shown = only === null ? datasets : datasets.filter(({ status }) => status === only);
  if (datasets.length === 0)
    return (
      <p className={css.old} data-state="empty">
        No source is in use. Start the worker (<code>npm run worker</code>) or import a list (
        <code>npm run admin -- feeds import</code>).
      </p>
    );
  return (
    <section>
      <h2 className={css.section}>Data sets</h2>
      <fieldset className={css.filters}>
        <legend className="visually-hidden">Show only</legend>
        {STATUSES.map(({ status, word }) => (
          <button
            key={status}
            type="button"
            className={css.filter}
            aria-pressed={only === status}
            disabled={countOf(datasets, status) === 0}
            onClick={() => setOnly(only === status ? null : status)}
          >
            <StatusShape status={status} /> {word} {exact(countOf(datasets, status))}
          </button>
        ))}
      </fieldset>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">Data set</th>
            <th scope="col">Status</th>
            <th scope="col" className={css.wide}>
              Age, and what was promised
            </th>
            <th scope="col">Data of</th>
            <th scope="col" className="number">
              Entries
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((dataset) => (
            <DatasetRow key={dataset.id} dataset={dataset} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function DatasetRow({ dataset }: { dataset: DatasetStatus }) {
  const { label, status, ageHours, slaHours, lastUpdatedAt, records, message } = dataset;
  return (
    <tr>
      <th scope="row" className={css.name}>
        <InertText>{label}</InertText>
        {message !== null && (
          <p className="note">
            <InertText>{message}</InertText>
          </p>
        )}
      </th>
      <td className={css.status} data-status={status}>
        <StatusShape status={status} /> {statusWord(status)}
      </td>
      <td className={css.wide}>
        {ageHours !== null && <BulletBar value={ageHours} mark={slaHours} label={ageSentence(dataset)} />}
        <span className="note">
          {ageHours === null ? 'no data' : hours(ageHours)} of {hours(slaHours)}
        </span>
      </td>
      <td className={css.when}>
        <span className={css.narrow}>Data of </span>
        {lastUpdatedAt === null ? 'never' : <Moment at={lastUpdatedAt} />}
      </td>
      <td className="number">
        {records === null ? 'none' : exact(records)}
        <span className={css.narrow}> entries</span>
      </td>
    </tr>
  );
}

/** Status is told by shape and drawn in ink: freshness is no evidence, so it gets no evidence colour. */
function StatusShape({ status }: { status: Status }) {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className={css.shape}>
      {status === 'fresh' && <circle cx="5" cy="5" r="4" fill="currentColor" />}
      {status === 'stale' && <path d="M5 1a4 4 0 0 1 0 8Z" fill="currentColor" stroke="none" />}
      {status === 'stale' && <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" />}
      {status === 'failing' && <path d="M1.5 1.5l7 7m0-7l-7 7" stroke="currentColor" strokeWidth="1.8" />}
      {status === 'missing' && (
        <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeDasharray="2 2" />
      )}
    </svg>
  );
}
