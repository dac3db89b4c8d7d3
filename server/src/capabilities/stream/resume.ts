import type { LogSpan, RelayPosition, StreamEvent } from '#platform/events.ts';
import { type Hub, isFor, joined, type Reader } from './hub.ts';
import { LOGGED_TYPES, presentEvent, presentGap, type Told } from './present-event.ts';

/** The log of the last day, in PostgreSQL. */
export type EventLog = {
  readonly position: () => Promise<RelayPosition>;
  readonly read: (span: LogSpan) => Promise<readonly StreamEvent[]>;
};

const PAGE = 500;

/** Where a stream begins: the events after `afterId`, and before them a gap if some can no longer be sent. */
export type Start = { readonly afterId: number; readonly gap: Told | null };

/**
 * Finds where to begin after `Last-Event-ID`. An id of this process's memory needs no look-up, so that short breaks are
 * resumed while PostgreSQL is away; another process may be ahead of this one, so an id above ours may be known.
 */
export async function startAfter(hub: Hub, log: EventLog, lastEventId: string | undefined): Promise<Start> {
  if (lastEventId === undefined || lastEventId === '') return { afterId: hub.newestId, gap: null };
  const id = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;
  if (id === null) return beginAnew(hub, lastEventId);
  if (id <= hub.lastId && hub.covers(id)) return { afterId: id, gap: null };
  const { numberedId, trimmedId } = await log.position();
  if (id > numberedId) return beginAnew(hub, lastEventId);
  if (id >= trimmedId) return { afterId: id, gap: null };
  return { afterId: trimmedId, gap: presentGap(lastEventId, trimmedId, 'expired') };
}

const beginAnew = (hub: Hub, lastEventId: string): Start => ({
  afterId: hub.newestId,
  gap: presentGap(/^[\w.:-]{1,20}$/.test(lastEventId) ? lastEventId : '', hub.newestId, 'unknown'),
});

/**
 * Sends what the reader missed, a page at a time and no faster than it reads, and then lets it follow. The last look and
 * the first new event are in one turn of the loop, so none is lost or doubled between them.
 */
export async function catchUp(hub: Hub, log: EventLog, reader: Reader, start: Start): Promise<void> {
  const { stream } = reader;
  if (start.gap !== null) stream.write(start.gap.bytes);
  let { afterId } = start;
  while (!stream.closed && afterId < hub.lastId) {
    const page = hub.recentAfter(afterId, reader) ?? (await readLog(hub, log, reader, afterId));
    if (page.events.length > 0) stream.write(joined(page.events));
    afterId = page.throughId;
    await stream.drained();
  }
  if (!stream.closed) hub.follow(reader, afterId);
}

async function readLog(hub: Hub, log: EventLog, reader: Reader, afterId: number) {
  const throughId = hub.lastId;
  const { accountId } = reader;
  const rows = await log.read({ afterId, throughId, accountId, types: LOGGED_TYPES, rowsMax: PAGE });
  const events = rows.flatMap((row) => presentEvent(row) ?? []).filter((event) => isFor(reader, event));
  const reached = rows.length < PAGE ? throughId : (rows.at(-1) as StreamEvent).id;
  return { events, throughId: reached };
}
