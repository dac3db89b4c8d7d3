import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Bars } from '../../charts/bars.tsx';
import { DayBars } from '../../charts/day-bars.tsx';
import { LevelBar } from '../../charts/level-bar.tsx';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { textOf } from '../../navigation/linked-word.ts';
import { LinkedWords } from '../../navigation/linked-words.tsx';
import { assay } from '../../service/client.ts';
import { describeFailure } from '../../service/failure.ts';
import { persistently } from '../../service/persistently.ts';
import { useSession } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Panel, type PanelState } from '../../ui/panel.tsx';
import { useNow } from '../../ui/use-now.ts';
import { exact } from '../../words/numbers.ts';
import css from './overview.module.css';
import { headSentences, levelParts, levelSentence, timelineSentence } from './overview-words.ts';

const ThreatMap = lazy(async () => ({
  default: (await persistently(() => import('./threat-map.tsx'))).ThreatMap,
}));

/** Asks again every five minutes, because the service counts no more often. */
const AGAIN_MS = 300_000;
const BAR_MAX = 10;
const SOURCE_MAX = 8;

export default function OverviewPage() {
  useTitle('Overview');
  return (
    <>
      <h1 className={`page-title ${css.title}`}>What is listed here</h1>
      <Head />
      <Slices />
      <p className={css.ask}>
        Numbers say how much is listed, not whether something is. <Link to="/">Check something</Link>
      </p>
    </>
  );
}

function Head() {
  const { data, error, refetch } = useQuery({
    queryKey: ['stats'],
    queryFn: ({ signal }) => assay.call('getStats', {}, { signal }),
    refetchInterval: AGAIN_MS,
  });
  const nowMs = useNow(60_000);
  if (error !== null && data === undefined)
    return (
      <p className={css.head} data-state="error">
        How much is listed is not known: {describeFailure(error, nowMs).title.toLowerCase()}.{' '}
        <Button look="plain" onClick={() => void refetch()}>
          Ask again
        </Button>
      </p>
    );
  return (
    <div
      className={css.head}
      data-state={data === undefined ? 'loading' : 'ready'}
      aria-busy={data === undefined}
    >
      {data !== undefined &&
        headSentences(data, nowMs).map((words) => (
          <p key={textOf(words)}>
            <LinkedWords words={words} />
          </p>
        ))}
    </div>
  );
}

function useAnalytics() {
  return useQuery({
    queryKey: ['analytics'],
    queryFn: ({ signal }) => assay.call('getAnalytics', {}, { signal }),
    refetchInterval: AGAIN_MS,
  });
}

function Slices() {
  const { data, error, refetch, dataUpdatedAt } = useAnalytics();
  const again = () => void refetch();
  // One request fills all panels, so nothing is drawn before its answer and nothing moves afterwards.
  if (data === undefined)
    return error === null ? (
      <div className={css.waiting} data-state="loading" aria-busy="true" />
    ) : (
      <FailureNote failure={describeFailure(error, Date.now())} retry={again} />
    );
  const stateOf = (isEmpty: boolean, why: string): PanelState =>
    isEmpty ? { kind: 'empty', why } : { kind: 'ready' };
  const { threatOverview, threatTimeline, threatDistribution, categoryBreakdown, topSources, geoThreatMap } =
    data;
  const days = threatTimeline ?? [];
  const levels = levelParts(threatDistribution ?? []);
  return (
    <div data-state={error === null ? 'ready' : 'degraded'}>
      {/* One request fills all panels, so their age is stated once. */}
      {error !== null && (
        <p className={css.old}>
          The numbers are from <Moment at={new Date(dataUpdatedAt).toISOString()} />; the service has not
          answered since.{' '}
          <Button look="plain" onClick={again}>
            Ask again
          </Button>
        </p>
      )}
      <Kinds overview={threatOverview} />
      <Panel
        title="Added and removed, 30 days"
        note="Listings a day, UTC; filled bars were added, by the dates of the sources; outlined ones were removed. Entries without a date are not counted."
        state={stateOf(
          days.every(({ added, removed }) => added + removed === 0),
          'No listing of the last 30 days has a date, and none was removed.',
        )}
      >
        <DayBars days={days} label={timelineSentence(days)} />
      </Panel>
      <Panel
        title="By verdict"
        note="Every indicator on a threat list, by the word that a check has for it now."
        state={stateOf(
          levels.every(({ count }) => count === 0),
          'Not counted yet: the worker scores what is listed in the background (npm run worker).',
        )}
      >
        <LevelBar parts={levels} label={levelSentence(levels)} />
      </Panel>
      <div className={css.pair}>
        <Panel
          title="By category"
          note="An indicator listed under two categories counts in both."
          state={stateOf((categoryBreakdown ?? []).length === 0, 'No category yet: nothing is listed.')}
        >
          <Bars
            label="Listed indicators by category"
            bars={(categoryBreakdown ?? []).slice(0, BAR_MAX).map(({ category, count, share }) => ({
              id: category,
              label: category,
              count,
              share: `${(100 * share).toFixed(1)} %`,
              name: <CategoryName category={category} />,
            }))}
          />
        </Panel>
        <Panel
          title="Largest sources"
          note="Threat sources with the most entries. Large is not good: the score weighs how often a list is right."
          state={stateOf((topSources ?? []).length === 0, 'No source has been loaded.')}
        >
          <table className={css.sources}>
            <thead>
              <tr>
                <th scope="col">Source</th>
                <th scope="col" className="number">
                  Entries
                </th>
              </tr>
            </thead>
            <tbody>
              {(topSources ?? []).slice(0, SOURCE_MAX).map(({ id, name, count }) => (
                <tr key={id}>
                  <td>
                    <Link to={`/source/${encodeURIComponent(id)}`}>
                      <InertText>{name}</InertText>
                    </Link>
                  </td>
                  <td className="number">{exact(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
      </div>
      <Panel
        title="Where listed addresses are"
        note="By the country of the address in the reference data. Countries with many addresses have many listed ones: a high count accuses no country."
        state={stateOf(
          (geoThreatMap ?? []).length === 0,
          'No country is known: load a geolocation file (npm run admin -- reference load geo FILE), or wait for the next count.',
        )}
      >
        <Suspense fallback={<div className={css.map} />}>
          <ThreatMap map={geoThreatMap ?? []} />
        </Suspense>
      </Panel>
    </div>
  );
}

/** Links to the sources of a category. Signed out it is plain text, because the sources are shown to accounts only. */
function CategoryName({ category }: { category: string }) {
  const session = useSession();
  if (session.state !== 'signed-in') return <InertText>{category}</InertText>;
  return (
    <Link to="/status/data" search={{ kind: category }}>
      <InertText>{category}</InertText>
    </Link>
  );
}

const KINDS = [
  { id: 'domain', label: 'Domains' },
  { id: 'ip', label: 'IP addresses and ranges' },
  { id: 'url', label: 'URLs' },
  { id: 'hash', label: 'File hashes' },
] as const;

function Kinds({
  overview,
}: {
  overview: { readonly byType: Readonly<Record<string, number>> } | undefined;
}) {
  return (
    <dl className={css.kinds} aria-busy={overview === undefined}>
      {KINDS.map(({ id, label }) => (
        <div key={id}>
          <dt>{label}</dt>
          <dd>{overview === undefined ? '\u2007' : exact(overview.byType[id] ?? 0)}</dd>
        </div>
      ))}
    </dl>
  );
}
