import type { Call } from '#platform/http/route.ts';
import { frame } from '#platform/http/sse.ts';
import type { Check } from './check-indicator.ts';
import type { CheckEvent, StreamQuery } from './contract-stream.ts';

type StreamCall = Pick<Call, 'request' | 'reply'> & { readonly query: StreamQuery };

/**
 * Turns the answer into an event stream. What may refuse has happened before the first byte (decisions 3.13): the target
 * is parsed, paid for and judged. Ids count the events of this stream; there is nothing to resume.
 */
export async function sendStream(
  stream: Check['stream'],
  { query, request, reply }: StreamCall,
): Promise<void> {
  const send = stream(query.indicator);
  const opened = request.server.eventStreams.open(request, reply);
  if (request.method === 'HEAD') return;
  const gone = new AbortController();
  opened.onClose(() => gone.abort());
  let sent = 0;
  const emit = (event: CheckEvent): boolean => {
    sent += 1;
    return opened.write(frame(String(sent), event));
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

/** Decisions 1.2: no internals in a message. The stream ends without `done`. */
const FAILED: CheckEvent = {
  type: 'error',
  data: { error: 'Internal Server Error', message: 'Something went wrong on our side. Try again.' },
};
