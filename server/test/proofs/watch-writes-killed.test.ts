import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAll } from '#capabilities/cases/index.ts';
import { systemClock } from '#platform/clock.ts';
import { WRITES_ENV } from '#test/acknowledged-writes.ts';
import { AnsweredWrites } from '#test/answered-writes.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { type KilledService, startKilledService } from '#test/killed-service.ts';
import { bySize } from '#test/lane.ts';
import { loadList } from '#test/load-list.ts';
import { C2 } from '#test/monitoring-rig.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';
import { WatchWriter } from '#test/watch-writes.ts';
import { consenting, type Receiver, startReceiver } from '#test/webhook-receiver.ts';
import { findWrongWatchWrites } from '#test/wrong-watch-writes.ts';

const WRITES = bySize(150, 5_000);
const WRITERS = bySize(2, 8);
/** Each round kills one listener, the worker and the whole of PostgreSQL. */
const ROUNDS = bySize(1, 7);
const RETRIES = bySize(60, 1_000);
const RETRIES_AT_ONCE = 10;
const TEST_MS = 2 * 3_600_000;
const SETTLED_WITHIN_MS = 600_000;
const PLAN = { plan: 'ENTERPRISE', limits: { burstPerMinute: 1_000_000 } } as const;

let killed: KilledService;
let accounts: ServiceAccounts;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answer(consenting);
  killed = await startKilledService({
    random: seededRandom('watch-writes-killed'),
    env: {
      ...WRITES_ENV,
      WEBHOOK_ALLOW: `127.0.0.0/8:${receiver.port}`,
      WEBHOOK_CA_FILE: receiver.caFile,
    },
  });
  accounts = openAccounts(killed.service);
});
afterAll(async () => {
  await accounts?.close();
  await killed?.stop();
  await receiver?.close();
});

/** A connection of its own each time, because a kill of PostgreSQL ends it. */
async function asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: killed.ownerUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('no acknowledged write to cases, watched items, alerts and webhooks is lost or done twice while the API, the worker and PostgreSQL are killed (reliability D1, D3)', {
  timeout: TEST_MS,
}, async () => {
  const writers: WatchWriter[] = [];
  for (let nth = 0; nth < WRITERS; nth += 1) {
    const account = await accounts.newAccount(`watch-writer-${nth}@example.com`, PLAN);
    writers.push(new WatchWriter(nth, killed.service.url, receiver.urlOf(nth + 1), account));
  }
  const count = (field: 'acknowledged' | 'retried') =>
    writers.reduce((sum, { answered }) => sum + answered[field], 0);
  const accused = new Set<string>();
  const running = Promise.all(writers.map((writer) => writer.run(() => count('acknowledged') >= WRITES)));
  const killing = killed.killDuring({
    rounds: ROUNDS,
    writes: WRITES,
    acknowledged: () => count('acknowledged'),
    beforeKill: (nth) => accuse(writers, accused, `accused-${nth}`),
  });
  const [, kills] = await Promise.all([running, killing]);
  const wrongNow = () => asOwner((client) => findWrongWatchWrites(client, writers, accused));
  // Alerts and deliveries are made by the worker; what is not there by then is lost.
  const settle = () =>
    eventually('every alert is raised and every event delivered', SETTLED_WITHIN_MS, async () => {
      await sleep(1_000);
      return (await wrongNow()).lost.length === 0;
    }).catch(() => SETTLED_WITHIN_MS);
  await settle();
  const killsOfRest = await decideRest(writers);
  const settledMs = await settle();
  const { lost, doubled } = await wrongNow();
  const chains = await verifyAll(accounts.system);
  const { rows: sent } = await asOwner((client) =>
    client.query<{ id: string }>(`select id from webhook_delivery where status = 'delivered'`),
  );
  const received = new Set(receiver.received.map(({ id }) => id));
  keepResult('watch-writes-killed', {
    acknowledged: count('acknowledged'),
    retried: count('retried'),
    kills: kills + killsOfRest,
    lost: lost.length,
    doubled: doubled.length,
    decisions: writers.reduce((sum, { decided }) => sum + decided.size, 0),
    evidence: chains.pieces,
    brokenChains: chains.broken.length,
    deliveries: sent.length,
    settledSeconds: settledMs / 1_000,
  });
  expect(lost).toEqual([]);
  expect(doubled).toEqual([]);
  expect(chains.broken).toEqual([]);
  expect(sent.filter(({ id }) => !received.has(id))).toEqual([]);
  expect(count('acknowledged')).toBeGreaterThanOrEqual(WRITES);
  const kinds = writers.flatMap(({ done }) => [...done.keys()].map((key) => key.split(' ')[0] ?? ''));
  expect([...new Set(kinds)].sort()).toEqual([
    'alert.decide',
    'case.create',
    'case.evidence.add',
    'case.update',
    'monitoring.notify',
    'monitoring.unwatch',
    'monitoring.watch',
    'webhook.change',
    'webhook.create',
    'webhook.delete',
    'webhook.rotate-secret',
  ]);
  await asOwner((client) => expectFound(client, writers, accused));
});

/** Decides about every open alert while one more round of kills runs. Returns the number of kills. */
async function decideRest(writers: readonly WatchWriter[]): Promise<number> {
  const answered = () => writers.reduce((sum, each) => sum + each.answered.acknowledged, 0);
  const before = answered();
  const writes = await asOwner(async (client) => {
    const { rows } = await client.query<{ open: number }>(
      `select count(*)::int as open from alert where status = 'OPEN'`,
    );
    return rows[0]?.open ?? 0;
  });
  const killing = killed.killDuring({ rounds: 1, writes, acknowledged: () => answered() - before });
  await Promise.all([killing, ...writers.map((writer) => writer.decideRest())]);
  return killing;
}

/** Lists the watched values that no list has named before, so that each must raise an alert for its account. */
async function accuse(
  writers: readonly WatchWriter[],
  accused: Set<string>,
  sourceId: string,
): Promise<void> {
  const values = writers.flatMap(({ items }) => [...items.values()].map(({ value }) => value));
  const fresh = values.filter((value) => !accused.has(value));
  if (fresh.length === 0) return;
  const deps = { system: accounts.system, clock: systemClock() };
  let failure: unknown;
  await eventually(`${sourceId} is stored`, SETTLED_WITHIN_MS, async () => {
    try {
      await loadList(deps, sourceId, fresh, { dataAtMs: Date.now(), settings: C2 });
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  }).catch((error: unknown) => {
    throw new Error(String(error), { cause: failure });
  });
  for (const value of fresh) accused.add(value);
}

/** A statement that inserts a copy of one row of the table with changed fields. */
const copied = (table: string, change: string, where = 'true') =>
  `insert into ${table} overriding system value
   select (jsonb_populate_record(null::${table}, to_jsonb(c) || ${change})).* from ${table} c where ${where} limit 1`;
const deleted = (table: string, where = 'true') =>
  `delete from ${table} where ctid = (select ctid from ${table} where ${where} limit 1)`;
const changed = (table: string, change: string, where = 'true') =>
  `update ${table} set ${change} where ctid = (select ctid from ${table} where ${where} limit 1)`;

/** By judged table: a statement that undoes one write, and one that makes a write look done twice. */
const PLANTED: Readonly<Record<string, readonly [lost: string, doubled: string]>> = {
  case: [
    changed('action_case', 'version = version - 1'),
    copied('action_case', `'{"id": "case_X", "evidence_count": 0}'`),
  ],
  evidence: [deleted('case_evidence'), copied('case_evidence', `'{"id": "cev_X", "position": 99}'`)],
  item: [deleted('watch_item'), changed('watch_item', 'notify = not notify')],
  account: [changed('watch_account', 'items = items - 1'), changed('watch_account', 'items = items + 1')],
  webhook: [
    deleted('webhook_endpoint', `description like 'Webhook%'`),
    copied('webhook_endpoint', `'{"id": "whk_X"}'`),
  ],
  action: [
    deleted('audit_entry', `action = 'webhook.delete'`),
    copied('audit_entry', `'{"id": "aud_X"}'`, `action = 'monitoring.unwatch'`),
  ],
  decision: [
    changed('alert', `status = 'OPEN', resolved_at = null`, `status = 'RESOLVED'`),
    changed('alert', `status = 'ACKNOWLEDGED', resolved_at = null`, `status = 'RESOLVED'`),
  ],
  alert: [
    deleted('alert', 'monitor_id in (select id from watch_item)'),
    changed('alert', 'occurrences = occurrences + 1'),
  ],
  event: [
    deleted('event_outbox', `type = 'case.updated'`),
    copied('event_outbox', `'{"draft": 999999999, "id": null}'`, `type = 'alert.created'`),
  ],
  delivery: [
    deleted('webhook_delivery', `event = 'case.created'`),
    copied('webhook_delivery', `'{"id": "dlv_X"}'`, `event = 'alert.created' and status = 'delivered'`),
  ],
};

/** Tests the judge: in every table it must report an undone write as lost and a repeated one as doubled. */
async function expectFound(
  client: pg.Client,
  writers: readonly WatchWriter[],
  accused: ReadonlySet<string>,
): Promise<void> {
  const wrongAfter = async (statement: string) => {
    await client.query('begin');
    const { rowCount } = await client.query(statement);
    expect([statement, rowCount]).toEqual([statement, 1]);
    const wrong = await findWrongWatchWrites(client, writers, accused);
    await client.query('rollback');
    return wrong;
  };
  const isOf = (table: string) => (each: string) => each.startsWith(`${table} `);
  for (const [table, [lost, doubled]] of Object.entries(PLANTED)) {
    expect((await wrongAfter(lost)).lost.filter(isOf(table)), lost).toHaveLength(1);
    expect((await wrongAfter(doubled)).doubled.filter(isOf(table)), doubled).toHaveLength(1);
  }
}

type Retried = {
  readonly path: string;
  readonly body: object;
  /** Query of the rows of the account $1 that the request makes. */
  readonly rows: string;
};

const RETRIED = (caseId: string): readonly Retried[] => [
  {
    path: '/cases',
    body: { title: 'Sent often' },
    rows: `select id from action_case where account_id = $1 and title = 'Sent often'`,
  },
  {
    path: `/cases/${caseId}/evidence`,
    body: { kind: 'note', title: 'Sent often', payload: { host: 'ws-12' } },
    rows: 'select id from case_evidence where account_id = $1',
  },
  {
    path: '/monitoring',
    body: { value: '45.250.0.1' },
    rows: 'select id from watch_item where account_id = $1',
  },
  {
    path: '/user/webhooks',
    body: { url: receiver.urlOf(201), events: ['ransomware.claim'] },
    rows: 'select id from webhook_endpoint where account_id = $1',
  },
];

test('a request that is sent a thousand times under one Idempotency-Key, many at once and over kills, makes one row and is answered alike (reliability D3)', {
  timeout: TEST_MS,
}, async () => {
  const account = await accounts.newAccount('retrying@example.com', PLAN);
  const answered = new AnsweredWrites(killed.service.url, account.credential);
  const { id: caseId } = await answered.write<{ id: string }>('POST', '/cases', { title: 'Of evidence' });
  let kills = 0;
  for (const { path, body, rows } of RETRIED(caseId)) {
    const answers: string[] = [];
    const key = { 'idempotency-key': `often ${path}`.replaceAll(' ', '-') };
    let begun = 0;
    const caller = async (): Promise<void> => {
      while (begun < RETRIES) {
        begun += 1;
        answers.push(JSON.stringify(await answered.answerTo('POST', path, body, key)));
      }
    };
    const acknowledged = () => answers.length;
    const killing = killed.killDuring({ rounds: 1, writes: RETRIES, acknowledged });
    await Promise.all([killing, ...Array.from({ length: RETRIES_AT_ONCE }, caller)]);
    kills += await killing;
    const made = await asOwner((client) => client.query<{ id: string }>(rows, [account.accountId]));
    expect(answers).toHaveLength(RETRIES);
    expect([...new Set(answers)], path).toHaveLength(1);
    expect(made.rows, path).toHaveLength(1);
    expect(answers[0]).toContain(made.rows[0]?.id);
  }
  keepResult('watch-writes-killed', {
    'retries.requests': RETRIES * RETRIED(caseId).length,
    'retries.kills': kills,
    'retries.unanswered': answered.retried,
  });
});
