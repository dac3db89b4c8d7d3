import { OutboundError } from './outbound-error.ts';

export type Deadline = {
  readonly signal: AbortSignal;
  readonly reason: () => OutboundError | null;
  readonly end: () => void;
};

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
  const cancelled = () => stop(new OutboundError('aborted', 'The request was cancelled.', signal?.reason));
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

/** Rejects when the signal aborts, even if `work` goes on: a silent name server would delay the caller. */
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
