import { type EventOptions, readEvents, type Streamed } from './events.ts';
import type { Transport } from './exchange.ts';
import type { Operations } from './generated/operations.ts';

type Query = NonNullable<Operations['getStream']['query']>;

/** `types` and `categories` as lists; `resume` is on unless it is set to false. */
export type ThreatStreamOptions = EventOptions & {
  readonly types?: readonly string[] | undefined;
  readonly severity?: Query['severity'];
  readonly categories?: readonly string[] | undefined;
};

export type ThreatNews = Streamed<'getStream'>;

/** A reader that waits for hours meets many short breaks, so that it gives up late. */
const RETRIES = 20;

/**
 * Threats as they become known, without end. After a break it resumes behind the last event, so that none is lost or given
 * twice; where the service no longer has some of them, an event `gap` says so.
 */
export function readThreats(
  transport: Transport,
  { types, severity, categories, ...options }: ThreatStreamOptions,
): AsyncGenerator<ThreatNews, void, undefined> {
  const query = { types: types?.join(','), severity, categories: categories?.join(',') };
  return readEvents(transport, 'getStream', { query }, { retries: RETRIES, resume: true, ...options });
}
