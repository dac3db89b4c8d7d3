import type { Deadline } from './deadline.ts';
import { NetworkFailure, StreamBroken, TimedOut } from './errors.ts';
import { type CallOptions, exchange, type Transport } from './exchange.ts';
import type { AnyInput, Reply, StreamId } from './operation.ts';
import { sleep } from './retry.ts';
import { createSseParser, type SseMessage, type SseParser } from './sse-parser.ts';

export type EventOptions = CallOptions & {
  /** Resumes after the event of this id, where the stream supports it. */
  readonly lastEventId?: string | undefined;
  /** True reconnects when the stream breaks or ends early, and resumes after the last event. */
  readonly resume?: boolean | undefined;
  /** The longest silence, comments included, before the connection counts as dead; 45 s by default. */
  readonly silentMaxMs?: number | undefined;
};

export type Streamed<K extends StreamId> = Reply<K> & { readonly id: string };

/** The service sends a comment every 15 s (decisions 3.13); three missing ones mean a dead connection. */
const SILENT_MAX_MS = 45_000;
const RECONNECT_MS = 5_000;

/** Every event of a stream as it arrives. A started stream is requested again only with `resume`. */
export async function* readEvents<K extends StreamId>(
  transport: Transport,
  id: K,
  input: AnyInput,
  options: EventOptions,
): AsyncGenerator<Streamed<K>, void, undefined> {
  const retries = options.retries ?? transport.retries;
  let lastId = options.lastEventId ?? '';
  for (let barren = 0; ; barren += 1) {
    const parser = createSseParser();
    let failure: unknown;
    try {
      const opened = await openEvents(transport, id, input, options, lastId);
      if (opened === null) return;
      for await (const message of messagesOf(opened, parser, options)) {
        lastId = message.id;
        barren = 0;
        yield { ...parseEvent(message), id: message.id } as Streamed<K>;
      }
    } catch (error) {
      failure = error;
    }
    // An event without data may carry a new id to resume from.
    if (parser.lastId() !== '' && parser.lastId() !== lastId) {
      lastId = parser.lastId();
      barren = 0;
    }
    if (options.resume !== true || !isPassing(failure) || barren > retries) {
      if (failure !== undefined) throw failure;
      return;
    }
    await pauseBefore(parser, options);
  }
}

/** The stream's own `retry` time, randomised so that its readers do not reconnect at once. */
export const pauseBefore = (parser: SseParser, { signal }: EventOptions): Promise<void> =>
  sleep((parser.retryMs() ?? RECONNECT_MS) * (1 + Math.random() / 4), signal);

/** An end, a broken connection or silence may be temporary; a refusal would be repeated. */
export const isPassing = (failure: unknown): boolean =>
  failure === undefined || failure instanceof NetworkFailure || failure instanceof TimedOut;

export type Opened = {
  readonly body: ReadableStream<Uint8Array>;
  readonly deadline: Deadline;
  readonly requestId: string | null;
};

/** Opens the stream after `lastId`. Null for status 204, by which the service says that no event is left. */
export const openEvents = (
  transport: Transport,
  id: StreamId,
  input: AnyInput,
  options: EventOptions,
  lastId: string,
): Promise<Opened | null> =>
  exchange(transport, {
    id,
    input,
    options,
    headers: lastId === '' ? {} : { 'Last-Event-ID': lastId },
    keepsDeadline: true,
    read: ({ body, headers, status }, deadline) => {
      const type = headers.get('Content-Type') ?? '';
      if (status === 204 || body === null) {
        deadline.release();
        return null;
      }
      if (type.startsWith('text/event-stream'))
        return { body, deadline, requestId: headers.get('X-Request-Id') };
      throw broken(`The answer is '${type}', not an event stream.`, headers.get('X-Request-Id'));
    },
  });

export async function* messagesOf(
  { body, deadline, requestId }: Opened,
  parser: SseParser,
  { silentMaxMs = SILENT_MAX_MS }: EventOptions,
): AsyncGenerator<SseMessage, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      deadline.restart(silentMaxMs);
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw deadline.errorOf(cause);
      });
      if (done) return;
      yield* push(parser, decoder.decode(value, { stream: true }), requestId);
    }
  } finally {
    // Closes the connection also when the caller leaves the loop early, so that the service stops its work.
    deadline.stop();
    deadline.release();
  }
}

function push(parser: SseParser, text: string, requestId: string | null): SseMessage[] {
  try {
    return parser.push(text);
  } catch (cause) {
    throw broken('An event of the stream is too long to be read.', requestId, cause);
  }
}

export function parseEvent(message: SseMessage): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(message.data) as Record<string, unknown>;
  } catch (cause) {
    throw broken('An event of the stream is not JSON.', null, cause);
  }
}

const broken = (message: string, requestId: string | null, cause?: unknown): StreamBroken =>
  new StreamBroken({ status: 200, error: 'Stream Broken', message, requestId, cause });
