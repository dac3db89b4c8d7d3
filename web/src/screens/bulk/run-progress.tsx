import { Link } from '../../navigation/link.tsx';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { useNow } from '../../ui/use-now.ts';
import { exact, plural } from '../../words/numbers.ts';
import { duration } from '../../words/time.ts';
import css from './bulk.module.css';
import { runner } from './bulk-run.ts';
import { isUnderWay, type Run } from './run-state.ts';

export function RunProgress({ run }: { run: Run }) {
  const { answered, entities, phase, failure } = run;
  return (
    <div className={css.progress}>
      <div
        className={css.track}
        role="progressbar"
        aria-label="Indicators checked"
        aria-valuemin={0}
        aria-valuemax={entities.length}
        aria-valuenow={answered}
        aria-valuetext={`${exact(answered)} of ${exact(entities.length)}`}
      >
        <div className={css.done} style={{ width: `${(100 * answered) / Math.max(1, entities.length)}%` }} />
      </div>
      <div className={css.progressLine}>
        <p>
          <PhaseSentence run={run} />
        </p>
        <span className={css.controls}>
          {isUnderWay(run) && <Button onClick={runner.pause}>Pause</Button>}
          {phase === 'paused' && (
            <Button look="primary" onClick={runner.resume}>
              Resume
            </Button>
          )}
          {(phase === 'cancelled' || phase === 'failed' || phase === 'interrupted') && (
            <Button onClick={runner.resume}>Go on from {exact(answered + 1)}</Button>
          )}
          {(isUnderWay(run) || phase === 'paused' || phase === 'failed') && (
            <Button onClick={runner.cancel}>Cancel</Button>
          )}
        </span>
      </div>
      {failure !== null && (
        <FailureNote failure={failure}>
          <p>
            {answered === 0 ? 'Nothing was answered yet. ' : 'The rows that came are kept. '}
            {failure.kind === 'signed-out' && (
              <Link to="/sign-in" search={{ next: '/bulk' }}>
                Sign in and go on
              </Link>
            )}
            {failure.kind === 'offline' &&
              'The last request may have been carried out and counted all the same.'}
          </p>
        </FailureNote>
      )}
    </div>
  );
}

function PhaseSentence({ run }: { run: Run }) {
  const { phase, answered, entities, charged, waitUntilMs } = run;
  const far = `${exact(answered)} of ${exact(entities.length)} checked`;
  switch (phase) {
    case 'waiting':
      return (
        <>
          {far}. <Waiting untilMs={waitUntilMs ?? 0} />
        </>
      );
    case 'paused':
      return <>{far}. Paused; the rows are kept.</>;
    case 'cancelled':
      return <>{far}. Cancelled; the rows are kept.</>;
    case 'failed':
      return <>{far}. Stopped.</>;
    case 'interrupted':
      return (
        <>
          {far}. The page was left before the rest; the rows that came are kept. A request that was under way
          may have been counted.
        </>
      );
    case 'done':
      return (
        <>
          {plural(answered, 'indicator')} checked, {plural(charged, 'check')} used.
        </>
      );
    default:
      return <>{far}.</>;
  }
}

function Waiting({ untilMs }: { untilMs: number }) {
  const leftMs = Math.max(0, untilMs - useNow(1_000));
  return (
    <span data-countdown="">
      The limit of requests per minute is used up. It goes on by itself in {duration(leftMs)}; waiting costs
      nothing.
    </span>
  );
}
