import { useQuery } from '@tanstack/react-query';
import { Link } from '../../navigation/link.tsx';
import { assay } from '../../service/client.ts';
import { useHealth } from '../../service/health.ts';
import { Moment } from '../../ui/moment.tsx';
import css from './freshness.module.css';
import { healthRows, publicSentence } from './freshness-words.ts';

export function PublicStatus() {
  const health = useHealth();
  const { data: stats, error } = useQuery({
    queryKey: ['stats'],
    queryFn: ({ signal }) => assay.call('getStats', {}, { signal }),
  });
  return (
    <div className={css.public} data-state={health === undefined ? 'loading' : 'ready'}>
      {/* First, because the facts below grow as they come and would push it down. */}
      <p className={css.more}>
        <Link to="/overview">What is listed</Link> is public. The age of each source, its failures and what to
        do about them are shown after a sign-in with a key.{' '}
        <Link to="/sign-in" search={{ next: '/status/data' }}>
          Sign in
        </Link>
      </p>
      {health === 'unreachable' && <p>The service does not answer. This page asks again by itself.</p>}
      {health !== undefined && health !== 'unreachable' && (
        <dl className="facts">
          {healthRows(health).map(({ label, says }) => (
            <div key={label} className={css.fact}>
              <dt>{label}</dt>
              <dd>{says}</dd>
            </div>
          ))}
          <div className={css.fact}>
            <dt>Newest data</dt>
            <dd>
              {stats?.newestDataAt != null && <Moment at={stats.newestDataAt} />}
              {stats !== undefined && stats.newestDataAt === null && 'nothing has been loaded yet'}
              {stats === undefined && error !== null && 'not known: the service did not answer'}
            </dd>
          </div>
          <div className={css.fact}>
            <dt>Sources</dt>
            <dd className={css.said}>
              {stats !== undefined && publicSentence(stats)}
              {stats === undefined && error !== null && 'not known: the service did not answer'}
            </dd>
          </div>
        </dl>
      )}
    </div>
  );
}
