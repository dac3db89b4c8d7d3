import type { DatasetStatus } from '@assay/sdk';
import { memo, useDeferredValue, useMemo } from 'react';
import { BulletBar } from '../../charts/bullet-bar.tsx';
import { Link } from '../../navigation/link.tsx';
import { Button } from '../../ui/button.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { exact, plural } from '../../words/numbers.ts';
import css from './freshness.module.css';
import { ageSentence, hours, limitWords, statusWord } from './freshness-words.ts';
import { groupSources, kindOf, kindWord, matching, NO_FILTER, type StatusGroup } from './group-sources.ts';
import { SourceFilters } from './source-filters.tsx';
import { StatusShape } from './status-shape.tsx';
import { useSourceFilter } from './use-source-filter.ts';

export function SourceGroups({ datasets }: { datasets: readonly DatasetStatus[] }) {
  const [filter, change] = useSourceFilter();
  // Deferred, so that the search field shows each typed key before the long list is filtered and drawn.
  const wanted = useDeferredValue(filter);
  const found = useMemo(() => matching(datasets, wanted), [datasets, wanted]);
  const groups = useMemo(() => groupSources(found), [found]);
  if (datasets.length === 0)
    return (
      <p className={css.old} data-state="empty">
        No source is in use. Start the worker (<code>npm run worker</code>) or import a list (
        <code>npm run admin -- feeds import</code>).
      </p>
    );
  return (
    <section aria-label="Sources">
      <SourceFilters datasets={datasets} filter={filter} change={change} />
      <p className={css.found} role="status">
        {found.length === datasets.length
          ? `All ${plural(datasets.length, 'source')} are shown.`
          : `${exact(found.length)} of ${plural(datasets.length, 'source')} ${found.length === 1 ? 'is' : 'are'} shown.`}{' '}
        {found.length < datasets.length && (
          <Button look="plain" onClick={() => change(NO_FILTER)}>
            Show all
          </Button>
        )}
      </p>
      {found.length === 0 && (
        <p className={css.old} data-state="empty">
          No source in use has this name, state and kind. A source that is offered but not in use is not
          listed here.
        </p>
      )}
      {groups.map((group) => (
        <StatusSection key={group.status} group={group} />
      ))}
    </section>
  );
}

const StatusSection = memo(({ group }: { group: StatusGroup }) => {
  const { status, count, summary, groups } = group;
  return (
    <section aria-labelledby={`sources-${status}`} data-status={status}>
      <h2 className={css.section} id={`sources-${status}`}>
        <StatusShape status={status} /> {statusWord(status)} {exact(count)}
      </h2>
      {summary !== '' && <p className={css.summary}>{summary}</p>}
      <table className={css.table} aria-labelledby={`sources-${status}`}>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col" className={css.wide}>
              Age, and what was promised
            </th>
            <th scope="col">Data of</th>
            <th scope="col" className="number">
              Entries
            </th>
          </tr>
        </thead>
        {groups.map(({ id, heading, datasets }) => (
          <tbody key={id}>
            <tr className={css.group}>
              <th scope="rowgroup" colSpan={4}>
                <InertText>{heading}</InertText>
              </th>
            </tr>
            {datasets.map((dataset) => (
              <SourceRow key={dataset.id} dataset={dataset} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
});

function SourceRow({ dataset }: { dataset: DatasetStatus }) {
  const { id, label, status, ageHours, slaHours, lastUpdatedAt, ownList, records } = dataset;
  return (
    <tr data-source={id}>
      <th scope="row" className={css.name}>
        <Link to={`/source/${encodeURIComponent(id)}`}>
          <InertText>{label}</InertText>
        </Link>{' '}
        {status !== 'fresh' && <span className="note">{kindWord(kindOf(dataset))}</span>}
      </th>
      <td className={css.wide}>
        {ageHours !== null && ownList !== true && (
          <BulletBar value={ageHours} mark={slaHours} label={ageSentence(dataset)} />
        )}
        <span className="note">
          {ageHours === null ? 'no data' : hours(ageHours)} {limitWords(dataset)}
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
