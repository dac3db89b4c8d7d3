import { useEffect, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { SESSION_KEY, useSession } from '../service/session.ts';
import { exact } from '../words/numbers.ts';
import css from './reveal-layer.module.css';

const ASK_EVERY_MS = 3_000;
/** Stops asking after ten minutes, because a dialog that was left open must not keep the session alive. */
const ASK_AT_MOST_MS = 600_000;

/** Watches the usage of the month while a new secret is shown: it grows when the first request with it was answered. */
export function FirstAnswer() {
  const session = useSession();
  const used = session.state === 'signed-in' ? session.usage.used : null;
  const limit = session.state === 'signed-in' ? session.usage.limit : 0;
  const [usedBefore, setUsedBefore] = useState(used);
  if (usedBefore === null && used !== null) setUsedBefore(used);
  const isAnswered = used !== null && usedBefore !== null && used > usedBefore;
  useEffect(() => {
    if (isAnswered) return;
    const ask = () => void queryClient.refetchQueries({ queryKey: SESSION_KEY, exact: true });
    const timer = setInterval(ask, ASK_EVERY_MS);
    const end = setTimeout(() => clearInterval(timer), ASK_AT_MOST_MS);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [isAnswered]);
  return (
    <p role="status" className={css.answer} data-answered={isAnswered || undefined}>
      {isAnswered ? (
        <>
          <b>A request was answered.</b> Since this secret is shown, the month went from {exact(usedBefore)}{' '}
          to {exact(used)} of {exact(limit)} checks.
        </>
      ) : (
        'Waiting for a request: this line tells when the service has answered one.'
      )}
    </p>
  );
}
