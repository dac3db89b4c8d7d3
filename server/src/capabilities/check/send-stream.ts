import type { Call } from '#platform/http/route.ts';
import { frame } from '#platform/http/sse.ts';
import type { Check } from './check-indicator.ts';
import type { CheckEvent, StreamQuery } from './contract-stream.ts';
import { placeOf, type StreamMark } from './stream-mark.ts';

type StreamCall = Pick<Call, 'principal' | 'request' | 'reply' | 'note'> & { readonly query: StreamQuery };

export type StreamFrom = {
  /** Where the reader stopped: the check runs again, and the phases up to this one are not sent again. */
  readonly mark: StreamMark;
  readonly idOf: (mark: StreamMark) => string;
};

/**
 * Turns the answer into an event stream. The target is parsed, charged and judged before the first byte, so
 * that refusals keep their status (decisions 3.13).
 */
export async function sendStream(
  stream: Check['stream'],
  call: StreamCall,
  { mark, idOf }: StreamFrom,
): Promise<void> {
  const { query, principal, request, reply } = call;
  const send = stream(query.indicator, principal);
  const opened = request.server.eventStreams.open(request, reply);
  if (request.method === 'HEAD') return;
  const gone = new AbortController();
  opened.onClose(() => gone.abort());
  let seen = mark.seen;
  const emit = (event: CheckEvent): boolean => {
    const place = placeOf(event.type);
    if (place !== null && place <= seen) return !opened.closed;
    seen = place ?? seen;
    // Counted with the phase that has the verdict, so that a reader who resumes after it is not counted twice.
    if (event.type === 'insights') call.note(event.data.riskScore.level);
    return opened.write(frame(idOf({ ...mark, seen }), event));
  };
  try {
    await send({ emit, signal: gone.signal });
  } catch (error) {
    emit(FAILED);
    throw error;
  } finally {
    opened.end();
  }
}

/** Ends a stream that failed, without `done`. The message tells nothing about internals (decisions 1.2). */
const FAILED: CheckEvent = {
  type: 'error',
  data: { error: 'Internal Server Error', message: 'Something went wrong on our side. Try again.' },
};
