import { OutboundError } from './outbound-error.ts';

export type Deadline = {
  readonly signal: AbortSignal;
  /** Why it is over, or null while it is not. */
  readonly reason: () => OutboundError | null;
  readonly end: () => void;
};

/** The time allowed and the caller's patience in one signal. */
export function startDeadline(options: {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}): Deadline {
  const { deadlineMs, signal } = options;
  const controller = new AbortController();
  let reason: OutboundError | null = null;
  const stop = (why: OutboundError) => {
    reason ??= why;
    controller.abort(why);
  };
  const late = () => stop(new OutboundError('deadline', `No complete answer within ${deadlineMs} ms.`));
  const cancelled = () => stop(new OutboundError('aborted', 'The request was given up.', signal?.reason));
  const timer = setTimeout(late, deadlineMs);
  if (signal?.aborted === true) cancelled();
  signal?.addEventListener('abort', cancelled, { once: true });
  return {
    signal: controller.signal,
    reason: () => reason,
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancelled);
    },
  };
}

/** Gives up waiting when the signal says so, whatever `work` still does: a silent name server would hold us for seconds. */
export async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>();
  const abort = () => late.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  work.catch(() => undefined);
  try {
    signal.throwIfAborted();
    return await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
