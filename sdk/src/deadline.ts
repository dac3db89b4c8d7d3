import { type AssayError, NetworkFailure, TimedOut } from './errors.ts';
import { abortedBy } from './retry.ts';

export type Deadline = {
  /** Aborted by the caller or by the clock, whichever is first. */
  readonly signal: AbortSignal;
  /** Starts the clock again, for the next thing that is waited for. */
  readonly restart: (ms: number) => void;
  /** Lets go of the clock and of the caller's signal; must be called at the end. */
  readonly release: () => void;
  /** Stops whatever still runs under the signal. */
  readonly stop: () => void;
  /** What a failure under the signal means. */
  readonly errorOf: (cause: unknown) => AssayError;
};

/** One attempt's time, joined with the caller's own signal. */
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
