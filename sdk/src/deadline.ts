import { type AssayError, NetworkFailure, TimedOut } from './errors.ts';
import { abortedBy } from './retry.ts';

export type Deadline = {
  readonly signal: AbortSignal;
  readonly restart: (ms: number) => void;
  /** Clears the timer and the listener on the caller's signal; must be called at the end. */
  readonly release: () => void;
  readonly stop: () => void;
  readonly errorOf: (cause: unknown) => AssayError;
};

export function createDeadline(ms: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const stop = () => controller.abort();
  let allowedMs = ms;
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (nextMs: number) => {
    clearTimeout(timer);
    allowedMs = nextMs;
    timer = setTimeout(() => {
      isLate = true;
      stop();
    }, nextMs);
  };
  if (caller?.aborted === true) stop();
  else caller?.addEventListener('abort', stop, { once: true });
  restart(ms);
  return {
    signal: controller.signal,
    restart,
    stop,
    release: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', stop);
    },
    errorOf: (cause) => {
      if (caller?.aborted === true) return abortedBy(caller);
      if (isLate)
        return new TimedOut({
          status: 0,
          error: 'Timed Out',
          message: `The service did not answer within ${allowedMs} ms.`,
        });
      return new NetworkFailure({
        status: 0,
        error: 'Network Failure',
        message: 'The service could not be reached, or the connection broke.',
        cause,
      });
    },
  };
}
