import { AssayError, StreamBroken } from './errors.ts';
import { type EventOptions, isPassing, messagesOf, openEvents, parseEvent, pauseBefore } from './events.ts';
import type { Transport } from './exchange.ts';
import type { CheckEvent } from './generated/schemas.ts';
import { createSseParser } from './sse-parser.ts';

/** A phase of a check, with the event id to resume after. An `error` event is thrown. */
export type CheckPhase = Exclude<CheckEvent, { readonly type: 'error' }> & { readonly id: string };

/**
 * `lastEventId`: sends the phases after that event without a second charge, within two minutes of the first connection,
 * to the same caller and for the same target. Later it starts a new check.
 * `resume`: true reconnects after a broken connection, at most `retries` times in a row.
 */
export type CheckStreamOptions = EventOptions;

/** The service resumes for two minutes; a later connection would be charged again. */
const RESUMED_WITHIN_MS = 115_000;

/**
 * The phases of one check, each once and in order. It ends with `done` or throws; it never ends silently in between.
 */
export async function* readCheck(
  transport: Transport,
  query: string,
  options: CheckStreamOptions,
): AsyncGenerator<CheckPhase, void, undefined> {
  const retries = options.retries ?? transport.retries;
  const startedMs = performance.now();
  const given = new Set<string>();
  let lastId = options.lastEventId ?? '';
  let hasBegun = false;
  for (let barren = 0; ; barren += 1) {
    const parser = createSseParser();
    let failure: unknown;
    try {
      const opened = await openEvents(transport, 'getCheckStream', { query: { query } }, options, lastId);
      // Null stands for status 204: no phase is left after `done`.
      if (opened === null) return;
      hasBegun = true;
      for await (const message of messagesOf(opened, parser, options)) {
        const event = parseEvent(message) as CheckEvent;
        lastId = message.id;
        if (event.type === 'error') throw new StreamBroken({ status: 200, ...event.data });
        if (given.has(event.type)) continue;
        given.add(event.type);
        barren = 0;
        yield { ...event, id: lastId };
        if (event.type === 'done') return;
      }
    } catch (error) {
      if (!hasBegun || !(isPassing(error) || error instanceof StreamBroken)) throw error;
      failure = error;
    }
    const isLate = performance.now() - startedMs > RESUMED_WITHIN_MS;
    // Without an event id the next connection would be a new check.
    if (options.resume !== true || !isPassing(failure) || lastId === '' || isLate || barren >= retries)
      throw brokenAfter(lastId, failure);
    await pauseBefore(parser, options);
  }
}

/** Keeps the message of the first failure and adds the event id to resume after. */
function brokenAfter(lastId: string, cause: unknown): StreamBroken {
  const known = cause instanceof AssayError ? cause : null;
  return new StreamBroken({
    status: 200,
    error: cause instanceof StreamBroken ? cause.error : 'Stream Broken',
    message:
      cause instanceof StreamBroken
        ? cause.message
        : 'The stream broke before its last event. The phases before it are valid but not complete.',
    requestId: known?.requestId ?? null,
    lastEventId: lastId === '' ? null : lastId,
    cause,
  });
}
