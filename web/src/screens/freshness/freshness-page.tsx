import { useQuery } from '@tanstack/react-query';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { assay } from '../../service/client.ts';
import { describeFailure } from '../../service/failure.ts';
import { SESSION_KEY, useSession } from '../../service/session.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { plural } from '../../words/numbers.ts';
import css from './freshness.module.css';
import { freshnessSentence, movedSentence } from './freshness-words.ts';
import { Pipeline } from './pipeline.tsx';
import { PublicStatus } from './public-status.tsx';
import { SourceGroups } from './source-groups.tsx';

const AGAIN_MS = 60_000;

export default function FreshnessPage() {
  useTitle('Data freshness');
  const session = useSession();
  return (
    <>
      <h1 className={`page-title ${css.title}`}>Data freshness</h1>
      {session.state === 'loading' && <div className={css.waiting} data-state="loading" aria-busy="true" />}
      {session.state === 'signed-out' && <PublicStatus />}
      {session.state === 'signed-in' && <Datasets />}
    </>
  );
}

function Datasets() {
  const { data, error, refetch } = useQuery({
    queryKey: [...SESSION_KEY, 'freshness'],
    queryFn: ({ signal }) => assay.call('getPlatformDataFreshness', {}, { signal }),
    refetchInterval: AGAIN_MS,
  });
  if (data === undefined && error !== null)
    return <FailureNote failure={describeFailure(error, Date.now())} retry={() => void refetch()} />;
  if (data === undefined) return <div className={css.waiting} data-state="loading" aria-busy="true" />;
  const moved = movedSentence(data.datasets);
  return (
    <div data-state={error === null ? 'ready' : 'degraded'}>
      <p className={css.lead}>
        {freshnessSentence(data)} <Listed /> Seen <Moment at={data.generatedAt} />.
      </p>
      {error !== null && (
        <p className={css.old}>These are the last numbers that came; the service has not answered since.</p>
      )}
      {moved !== null && <p className={css.old}>{moved}</p>}
      {data.actions.length > 0 && (
        <section>
          <h2 className={css.section}>What to do</h2>
          <ol className={css.actions}>
            {data.actions.map((action) => (
              <li key={action}>{action}</li>
            ))}
          </ol>
        </section>
      )}
      <SourceGroups datasets={data.datasets} />
      <Pipeline />
    </div>
  );
}

/** The number of listed indicators, the same as on every other page. Nothing is drawn while it loads. */
function Listed() {
  const { data } = useQuery({
    queryKey: ['stats'],
    queryFn: ({ signal }) => assay.call('getStats', {}, { signal }),
  });
  if (data === undefined) return null;
  return (
    <>
      Together they list <Link to="/overview">{plural(data.indicators, 'indicator')}</Link>.
    </>
  );
}
