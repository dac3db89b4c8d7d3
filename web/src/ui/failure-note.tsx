import type { Failure } from '../service/failure.ts';
import { Button } from './button.tsx';
import { Countdown } from './countdown.tsx';
import css from './failure-note.module.css';

export function FailureNote({
  failure,
  retry,
  children,
}: {
  failure: Failure;
  retry?: (() => void) | undefined;
  children?: React.ReactNode;
}) {
  return (
    <div className={css.note} role="alert">
      <p>
        <b>{failure.title}.</b> {failure.detail}
      </p>
      {children}
      <p className={css.after}>
        {failure.retryAtMs !== null && <Countdown untilMs={failure.retryAtMs} whenDone={retry} />}
        {retry !== undefined && failure.retryAtMs === null && <Button onClick={retry}>Try again</Button>}
        {failure.requestId !== null && (
          <span className="note">
            Request <code>{failure.requestId}</code>
          </span>
        )}
      </p>
    </div>
  );
}
