import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createKey,
  createUser,
  ensureOrganization,
  putMembership,
  setPlan,
} from '#capabilities/access/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { migrate } from '#platform/migrate.ts';
import { createSecrets } from '#platform/secrets.ts';
import { OPERATOR } from '#test/access.ts';
import { WRITES_ENV } from '#test/acknowledged-writes.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { MAIN } from '#test/main-file.ts';
import { type PostgresServer, startPostgresServer } from '#test/postgres-server.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { INHERITED_ENV, type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';

const WRITES = bySize(120, 10_000);
const WRITERS = bySize(2, 8);
/** Each round kills one listener, the worker and the whole of PostgreSQL. */
const ROUNDS = bySize(1, 20);
const LIMITS = { burstPerMinute: 1_000_000, orgIndicatorsPerDay: 1_000_000 };
const ANSWER_MS = 20_000;
const PAUSE_MS = 100;
/** A write is sent again until it is answered, so its outcome is always known. */
const ATTEMPTS_MAX = 3_000;

type Expected = { status: 'approved' | 'revoked'; added: number; restored: number; revoked: number };

let postgres: PostgresServer;
let service: Service;
let accounts: ServiceAccounts;
let worker: ChildProcess;
const random = seededRandom('org-writes');

beforeAll(async () => {
  postgres = await startPostgresServer({ isDurable: true });
  const databaseUrl = postgres.url('assay');
  await migrate(databaseUrl);
  service = await startService({ databaseUrl, processes: bySize(1, 2), env: WRITES_ENV });
  accounts = openAccounts(service);
  startWorker();
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await accounts?.close();
  await service?.stop();
  await postgres?.stop();
});

function startWorker(): void {
  worker = spawn(process.execPath, [MAIN, 'worker'], {
    env: { ...INHERITED_ENV, ...service.env, METRICS_PORT: '0', FEEDS_ENABLED: 'false' },
    stdio: 'ignore',
  });
}

const KILLS: readonly (() => Promise<void>)[] = [
  async () => {
    const pids = service.listenerPids();
    const pid = pids[Math.floor(random() * pids.length)];
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  },
  async () => {
    if (worker.exitCode === null && worker.signalCode === null) {
      const gone = once(worker, 'exit');
      worker.kill('SIGKILL');
      await gone;
    }
    startWorker();
  },
  async () => {
    await postgres.kill();
    await sleep(random() * 500);
    await postgres.restart();
  },
];

/** The credential of an owner of a new organization. */
async function newOrganization(name: string): Promise<string> {
  const { KEY_PEPPER } = loadConfig(service.env);
  const deps = { postgres: accounts.system, clock: systemClock(), pepper: createSecrets(KEY_PEPPER) };
  const accountId = await ensureOrganization(deps, OPERATOR, name);
  await setPlan(deps, OPERATOR, accountId, { plan: 'ENTERPRISE', limits: LIMITS });
  const userId = await createUser(deps, OPERATOR, `owner@${name}.example`);
  await putMembership(deps, OPERATOR, accountId, userId, 'OWNER');
  const key = await createKey(deps, OPERATOR, { accountId, userId, label: name, allowedCidrs: [] });
  return key.credential;
}

/** Reports names one by one; every third is revoked, and every sixth restored after that. */
class OrgWriter {
  readonly expected = new Map<string, Expected>();
  readonly #name: string;
  readonly #credential: string;
  acknowledged = 0;
  retried = 0;

  constructor(name: string, credential: string) {
    this.#name = name;
    this.#credential = credential;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (let turn = 1; !isOver(); turn += 1) {
      const value = `n${turn}.${this.#name}.com`;
      const state: Expected = { status: 'approved', added: 1, restored: 0, revoked: 0 };
      const id = await this.#report(value, `${turn}`);
      this.expected.set(value, state);
      if (turn % 3 === 0) {
        await this.send('DELETE', `/org/indicators/${id}`);
        state.status = 'revoked';
        state.revoked = 1;
      }
      if (turn % 6 === 0) {
        await this.#report(value, `${turn}-again`);
        state.status = 'approved';
        state.restored = 1;
      }
    }
  }

  async #report(value: string, key: string): Promise<string> {
    const body = { indicators: [{ type: 'domain', value, category: 'c2' }] };
    const answer = await this.send('POST', '/org/indicators', body, { 'idempotency-key': key });
    return (JSON.parse(answer) as { indicators: [{ id: string }] }).indicators[0].id;
  }

  async send(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<string> {
    let last = '';
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      try {
        const answer = await fetch(`${service.url}${path}`, {
          method,
          headers: {
            'x-api-key': this.#credential,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        last = await answer.text();
        if (answer.ok) {
          this.acknowledged += 1;
          return last;
        }
      } catch (error) {
        last = String(error);
      }
      this.retried += 1;
      await sleep(PAUSE_MS);
    }
    throw new Error(`${method} ${path} was never answered: ${last}`);
  }
}

type Stored = {
  value: string;
  status: string;
  added: number;
  restored: number;
  revoked: number;
  periods: number;
};

test('no acknowledged write of an organization is lost or done twice while the API, the worker and PostgreSQL are killed (reliability D1, D3)', async () => {
  const writers: OrgWriter[] = [];
  for (let nth = 0; nth < WRITERS; nth += 1)
    writers.push(new OrgWriter(`org-writer-${nth}`, await newOrganization(`org-writer-${nth}`)));
  const count = (field: 'acknowledged' | 'retried') =>
    writers.reduce((sum, writer) => sum + writer[field], 0);
  const running = writers.map((writer) => writer.run(() => count('acknowledged') >= WRITES));
  const kills = Array.from({ length: ROUNDS }, () => KILLS).flat();
  for (const [nth, kill] of kills.entries()) {
    const due = Math.floor(((nth + random()) * WRITES) / (kills.length + 1));
    await eventually(`${due} writes before kill ${nth}`, 600_000, () => count('acknowledged') >= due);
    await kill();
  }
  await Promise.all(running);
  const wrong = [...(await findWrong(writers))];
  console.log(`figure org-writes ${count('acknowledged')}`);
  console.log(`figure org-writes-retried ${count('retried')}`);
  console.log(`figure org-writes-lost-or-doubled ${wrong.length}`);
  expect(count('acknowledged')).toBeGreaterThanOrEqual(WRITES);
  expect(wrong).toEqual([]);
  for (const writer of writers) {
    const blocked = [...writer.expected].flatMap(([value, { status }]) =>
      status === 'approved' ? [value] : [],
    );
    expect(await writer.send('GET', '/org/blocklists/domains')).toBe(
      blocked
        .sort()
        .map((value) => `${value}\n`)
        .join(''),
    );
    const [first = ''] = blocked;
    await eventually('the node has followed', 60_000, async () =>
      (await writer.send('GET', `/check?query=${first}&enrichment=fast`)).includes('"disposition":"block"'),
    );
  }
});

/** Values whose stored state, events, periods or daily count differ from the acknowledged writes. */
async function findWrong(writers: readonly OrgWriter[]): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: postgres.url('assay') });
  await client.connect();
  try {
    const { rows } = await client.query<Stored>(`
      select value, status,
             (select count(*)::int from org_indicator_period p where p.indicator_id = i.id) as periods,
             count(*) filter (where e.type = 'org.indicator.added')::int as added,
             count(*) filter (where e.type = 'org.indicator.restored')::int as restored,
             count(*) filter (where e.type = 'org.indicator.revoked')::int as revoked
        from org_indicator i left join event_outbox e on e.payload ->> 'id' = i.id group by i.id`);
    const stored = new Map(rows.map((row) => [row.value, row]));
    const expected = new Map(writers.flatMap((writer) => [...writer.expected]));
    const wrong = [...stored.keys()].filter((value) => !expected.has(value));
    for (const [value, { status, added, restored, revoked }] of expected) {
      const wanted = { value, status, periods: added + restored, added, restored, revoked };
      if (JSON.stringify(stored.get(value)) !== JSON.stringify(wanted))
        wrong.push(`${JSON.stringify(stored.get(value))} instead of ${JSON.stringify(wanted)}`);
    }
    const used = await client.query<{ used: number }>(
      'select sum(used)::int as used from org_indicator_state',
    );
    const charged = [...expected.values()].reduce((sum, { added, restored }) => sum + added + restored, 0);
    // Fewer may be counted, because a run over midnight begins a new count.
    if ((used.rows[0]?.used ?? 0) > charged)
      wrong.push(`${used.rows[0]?.used} charged instead of ${charged}`);
    return wrong;
  } finally {
    await client.end();
  }
}
