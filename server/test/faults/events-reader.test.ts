import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '#platform/config.ts';
import {
  type DurableReader,
  type EventGap,
  emitAll,
  eventType,
  type ReaderSpec,
  readDurably,
  type StreamEvent,
  trimOutbox,
} from '#platform/events.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Db, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';

const Happened = eventType({ name: 'test.happened', schema: z.object({ n: z.number() }) });
const Other = eventType({ name: 'test.other', schema: z.object({ n: z.number() }) });
const log = createLog('silent');
const DAY_MS = 86_400_000;

let database: TestDatabase;
let postgres: Postgres;
const readers: DurableReader[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  postgres = asSystem(loadConfig({ DATABASE_URL: database.url }));
  await sql`delete from event_outbox`.execute(postgres.db);
  await sql`delete from event_reader`.execute(postgres.db);
  await sql`update event_relay set relayed_id = 0, numbered_id = 0, trimmed_id = 0`.execute(postgres.db);
});
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.stop();
  await postgres.close();
});
afterAll(() => database.drop());

const happen = (from: number, to: number, agoMs = 0, type = Happened) =>
  postgres.transaction((tx) =>
    emitAll(
      tx,
      Array.from({ length: to - from + 1 }, (_, at) => ({
        type,
        accountId: null,
        payload: { n: from + at },
        occurredAt: new Date(Date.now() - agoMs),
      })),
    ),
  );

type Read = { readonly ns: number[]; readonly gaps: EventGap[]; readonly reader: DurableReader };
function read(spec: Partial<ReaderSpec> = {}): Read {
  const ns: number[] = [];
  const gaps: EventGap[] = [];
  const reader = readDurably(
    { postgres, log, pollMs: 50 },
    {
      name: 'test',
      from: 'start',
      handle: async (_tx, events) => void ns.push(...events.map(numberOf)),
      onGap: async (_tx, gap) => void gaps.push(gap),
      ...spec,
    },
  );
  readers.push(reader);
  return { ns, gaps, reader };
}
const numberOf = (event: StreamEvent) => (event.payload as { n: number }).n;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const trim = () => postgres.transaction((tx) => trimOutbox(tx));
const relayAll = () => sql`update event_relay set relayed_id = numbered_id`.execute(postgres.db);

test('a durable reader reads its types in order and passes others over', async () => {
  await happen(1, 5);
  await happen(100, 110, 0, Other);
  await happen(6, 7);
  const { ns, reader } = read({ types: ['test.happened'], batchMax: 3 });
  await reader.flush();
  expect(ns).toEqual(range(1, 7));
});

test('a new reader begins with new events, and a known one resumes where it stopped', async () => {
  await happen(1, 3);
  const early = read({ from: 'start', name: 'early' });
  await early.reader.flush();
  const first = read({ from: 'newest' });
  await eventually('the reader is known', 5_000, async () => {
    const { rows } = await sql`select 1 from event_reader where name = 'test'`.execute(postgres.db);
    return rows.length > 0;
  });
  await happen(4, 5);
  await first.reader.flush();
  await first.reader.stop();
  await happen(6, 7);
  const second = read({ from: 'newest' });
  await second.reader.flush();
  expect([early.ns.slice(0, 3), first.ns, second.ns]).toEqual([range(1, 3), [4, 5], [6, 7]]);
});

test('a reader whose connection dies between its write and the commit reads the batch again', async () => {
  await happen(1, 4);
  let attempts = 0;
  const cutOnce = async (tx: Db) => {
    attempts += 1;
    if (attempts > 1) return;
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx).catch(() => undefined);
  };
  const { reader } = read({
    types: ['test.happened'],
    handle: async (tx, events) => {
      for (const event of events) await noteHandled(tx, event);
      await cutOnce(tx);
    },
  });
  // Either this call or the reader's own loop gets the error of the cut connection.
  await reader.flush().catch(() => undefined);
  await reader.flush();
  expect(attempts).toBe(2);
  expect(await handledOnce()).toEqual(range(1, 4));
});

/** Notes each handled event as a row of the outbox, which the system role may write to, so that repeats are seen. */
const noteHandled = (tx: Db, event: StreamEvent) =>
  sql`insert into event_outbox (type, payload) values ('test.handled', ${JSON.stringify(event.payload)}::jsonb)`.execute(
    tx,
  );
async function handledOnce(): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    select (payload ->> 'n')::int as n from event_outbox where type = 'test.handled' order by n`.execute(
    postgres.db,
  );
  return rows.map(({ n }) => n);
}

test('two readers of one name never handle the same event, and never at the same time', async () => {
  let active = 0;
  let together = 0;
  const handle = async (tx: Db, events: readonly StreamEvent[]) => {
    active += 1;
    together = Math.max(together, active);
    for (const event of events) await noteHandled(tx, event);
    await sql`select pg_sleep(0.01)`.execute(tx);
    active -= 1;
  };
  const both = [
    read({ types: ['test.happened'], batchMax: 2, handle }),
    read({ types: ['test.happened'], batchMax: 2, handle }),
  ];
  for (let from = 1; from <= 40; from += 10) await happen(from, from + 9);
  await Promise.all(both.map(({ reader }) => reader.flush()));
  expect(await handledOnce()).toEqual(range(1, 40));
  expect(together).toBe(1);
});

test('events wait for the slowest reader before they are deleted', async () => {
  await happen(1, 5, 2 * DAY_MS);
  const fast = read({ name: 'fast' });
  const slow = read({
    name: 'slow',
    handle: async () => {
      throw new Error('not yet');
    },
  });
  await fast.reader.flush();
  // A reader holds events from the moment its row is written, which is done before its first batch.
  await expect(slow.reader.flush()).rejects.toThrow('not yet');
  await relayAll();
  expect(await trim()).toBe(0);
  await slow.reader.stop();
  const healed = read({ name: 'slow' });
  await healed.reader.flush();
  expect(healed.ns).toEqual(range(1, 5));
  expect(await trim()).toBe(5);
});

test('a reader that is 7 days late is told of the gap, and reads what is left', async () => {
  await happen(1, 3, 8 * DAY_MS);
  await happen(4, 5, 6 * DAY_MS);
  const { reader } = read({
    handle: async () => {
      throw new Error('never');
    },
  });
  await expect(reader.flush()).rejects.toThrow('never');
  await reader.stop();
  await relayAll();
  expect(await trim()).toBe(3);
  const late = read();
  await late.reader.flush();
  expect(late.gaps).toEqual([{ afterId: 0, beforeId: 4 }]);
  expect(late.ns).toEqual([4, 5]);
  await happen(6, 6);
  await late.reader.flush();
  expect(late.gaps).toHaveLength(1);
});

test('a reader waits without losing anything while its handler fails', async () => {
  let isBroken = true;
  const ns: number[] = [];
  const { reader } = read({
    handle: async (_tx, events) => {
      if (isBroken) throw new Error('broken');
      ns.push(...events.map(numberOf));
    },
  });
  await happen(1, 2);
  await expect(reader.flush()).rejects.toThrow('broken');
  isBroken = false;
  await eventually('the reader recovers by itself', 10_000, () => ns.length === 2);
  expect(ns).toEqual([1, 2]);
});
