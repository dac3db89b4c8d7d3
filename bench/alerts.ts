import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { AlertQuery } from '../server/src/capabilities/alerts/contract.ts';
import { listAlerts } from '../server/src/capabilities/alerts/keep-alerts.ts';
import { measureAlerts } from '../server/src/capabilities/alerts/measure-alerts.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { asSystem, BATCH_LIMITS, connectPostgres, sql } from '../server/src/platform/postgres.ts';

/**
 * npm run bench:alerts -- [--alerts 1000000] [--small]
 * Measures the inbox of one account with many alerts. `ratio alerts-page`: the median time of a bare SELECT of a page,
 * divided by that of our page, which also has the total.
 */
const { values: flags } = parseArgs({
  options: { alerts: { type: 'string', default: '1000000' }, small: { type: 'boolean', default: false } },
});
const alerts = flags.small ? 50_000 : Number(flags.alerts);
const ROUNDS = 300;
const ROWS_AT_ONCE = 50_000;
const clock = systemClock();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const round = (value: number): number => Number(value.toFixed(3));
const database = new URL(loadConfig().DATABASE_URL);
database.pathname = `/assay_bench_alerts_${process.pid}`;
const CALLER = {
  kind: 'key',
  id: 'key_01',
  accountId: 'org_01',
  userId: 'usr_01',
  organizationId: 'org_01',
  role: null,
  plan: 'PRO',
} as const;

async function onServer(path: string, text: string): Promise<void> {
  const server = new URL(database);
  server.pathname = path;
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  await client.query(text);
  await client.end();
}

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0;

async function time(rounds: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let done = 0; done < rounds; done += 1) {
    const startMs = clock.monotonic();
    await work();
    times.push(clock.monotonic() - startMs);
  }
  return times;
}

await migrate(database.href);
const system = asSystem({ DATABASE_URL: database.href, POSTGRES_POOL_MAX: 4 });
const postgres = connectPostgres(
  { DATABASE_URL: database.href, POSTGRES_POOL_MAX: 4 },
  'assay_app',
  BATCH_LIMITS,
);
try {
  for (let from = 0; from < alerts; from += ROWS_AT_ONCE)
    await sql`
      insert into alert (id, account_id, type, severity, status, entity_type, entity_value, fingerprint, title, description,
                         reason, source, confidence, data, created_at, updated_at, acknowledged_at, resolved_at, open_since)
      select 'alrt_L' || n, 'org_01', (array['reputation.malicious', 'reputation.changed', 'whois.changed'])[1 + n % 3], n % 5,
             s.status, 'domain', 'h' || n || '.example.com', decode(lpad(to_hex(n), 32, '0'), 'hex'),
             'h' || n || '.example.com: High risk', 'It was inconclusive.', 'A list names it.', 'monitoring', 60,
             '{"level": "high"}', t.at, t.at + interval '1 hour',
             case when s.status <> 'OPEN' then t.at + make_interval(secs => n % 90000) end,
             case when s.status = 'RESOLVED' then t.at + make_interval(secs => 90000 + n % 500000) end, t.at
        from generate_series(${from}::bigint, ${Math.min(alerts, from + ROWS_AT_ONCE) - 1}::bigint) as n,
             lateral (select (array['OPEN', 'ACKNOWLEDGED', 'RESOLVED'])[1 + n % 3] as status) s,
             lateral (select now() - make_interval(secs => (n * 7919) % 7776000) as at) t`.execute(system.db);
  await onServer(database.pathname, 'vacuum analyze alert');
  await onServer(database.pathname, 'vacuum analyze alert_day');
  const deps = { clock, postgres };
  const query = AlertQuery.parse({});
  const bareSelect = () =>
    postgres.withAccount('org_01', (tx) =>
      sql`select * from alert where account_id = 'org_01' and status <> 'RESOLVED'
           order by updated_at desc, id desc limit 21`.execute(tx),
    );
  await time(20, bareSelect);
  await time(20, () => listAlerts(deps, CALLER, query));
  const bare = await time(ROUNDS, bareSelect);
  const list = await time(ROUNDS, () => listAlerts(deps, CALLER, query));
  const filtered = await time(ROUNDS, () =>
    listAlerts(
      deps,
      CALLER,
      AlertQuery.parse({ severity: 'critical', eventType: 'whois.changed', status: 'OPEN' }),
    ),
  );
  const metrics = await time(ROUNDS, () => measureAlerts(deps, CALLER));
  const figures = {
    alerts,
    ratio: round(at(bare, 0.5) / at(list, 0.5)),
    bareP50Ms: round(at(bare, 0.5)),
    listP50Ms: round(at(list, 0.5)),
    listP99Ms: round(at(list, 0.99)),
    filteredP99Ms: round(at(filtered, 0.99)),
    metricsP99Ms: round(at(metrics, 0.99)),
  };
  say(JSON.stringify(figures));
  say(`ratio alerts-page ${figures.ratio}`);
  say(`figure alerts.list-p99-ms ${figures.listP99Ms}`);
  say(`figure alerts.metrics-p99-ms ${figures.metricsP99Ms}`);
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'alerts.json'),
    `${JSON.stringify({ ...figures, cores: cpus().length, load: loadavg().map(round) }, null, 2)}\n`,
  );
} finally {
  await Promise.all([system.close(), postgres.close()]);
  await onServer('/postgres', `drop database if exists "${database.pathname.slice(1)}" with (force)`);
}
