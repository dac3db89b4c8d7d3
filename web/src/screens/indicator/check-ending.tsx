import { Link } from '../../navigation/link.tsx';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { useNow } from '../../ui/use-now.ts';
import { duration } from '../../words/time.ts';
import css from './check-ending.module.css';
import { type CheckEnd, type CheckState, canResume, cutWords } from './check-state.ts';
import { checkDesk } from './use-check.ts';

export function CheckEnding({ state }: { state: CheckState }) {
  const { end } = state;
  if (end.kind === 'cut') return <Cut state={state} />;
  if (end.kind === 'refused') return <Refused state={state} end={end} />;
  return null;
}

function Cut({ state }: { state: CheckState }) {
  const nowMs = useNow(5_000);
  const requestId = state.end.kind === 'cut' ? (state.end.failure?.requestId ?? null) : null;
  return (
    <div className={css.strip} role="alert">
      <span>{cutWords(state)}</span>
      {requestId !== null && (
        <span className="note">
          Request <code>{requestId}</code>
        </span>
      )}
      {canResume(state, nowMs) ? (
        <Button onClick={() => checkDesk.resume(state.target)} title="Free: it goes on with the same check">
          Resume
        </Button>
      ) : (
        <Button onClick={() => checkDesk.again(state.target)} title="Costs one check">
          Check again
        </Button>
      )}
    </div>
  );
}

function Refused({ state, end }: { state: CheckState; end: Extract<CheckEnd, { kind: 'refused' }> }) {
  const again = () => checkDesk.again(state.target);
  const { failure, usedUp } = end;
  if (usedUp === 'burst' && failure.retryAtMs !== null)
    return <Queue untilMs={failure.retryAtMs} again={again} />;
  if (usedUp === 'anonymous')
    return (
      <FailureNote
        failure={{
          ...failure,
          title: 'This network has used its free checks',
          detail: 'Wait for the next one, or sign in with a key that has checks of its own.',
        }}
        retry={again}
      >
        <SignIn />
      </FailureNote>
    );
  // The service refused the indicator itself, so a retry would be refused too.
  const isWorthRetrying = failure.kind !== 'refused';
  return (
    <FailureNote failure={failure} retry={isWorthRetrying ? again : undefined}>
      {failure.kind === 'signed-out' && <SignIn />}
    </FailureNote>
  );
}

function SignIn() {
  const { path } = useShownPlace();
  return (
    <p>
      <Link to="/sign-in" search={{ next: path }}>
        Sign in with a key
      </Link>
    </p>
  );
}

/** A burst limit is the plan's pace, not an error. The reader starts the check, because it costs quota. */
function Queue({ untilMs, again }: { untilMs: number; again: () => void }) {
  const leftMs = untilMs - useNow(1_000);
  return (
    <div className={css.strip} role="status" data-queue="">
      <span>
        {leftMs > 0
          ? `Next check in ${duration(leftMs)}. Your plan paces how often one may start; nothing was charged.`
          : 'The next check can start now.'}
      </span>
      {leftMs <= 0 && <Button onClick={again}>Check now</Button>}
    </div>
  );
}
