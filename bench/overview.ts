import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ACTION_CENTER_PARTS } from '../server/src/app/action-center-deps.ts';
import { readOverview } from '../server/src/capabilities/action-center/read-overview.ts';
import { funnelOf, measureAlerts, trendsOf } from '../server/src/capabilities/alerts/measure-alerts.ts';
import { analyticsRoutes, refreshStatistics } from '../server/src/capabilities/analytics/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { asSystem, BATCH_LIMITS, connectPostgres, type Postgres } from '../server/src/platform/postgres.ts';
import { type BusySizes, putAlerts, putCases, putFindings } from './support/busy-account.ts';
import { recordStatements, type Statement } from './support/recorded-statements.ts';

/**
 * npm run bench:overview -- [--alerts N] [--findings N] [--cases N] [--small]
 * 100,000 alerts, 50,000 findings of CVEs and 10,000 cases, unless other numbers are given.
 * Measures the action center of one busy account. `ratio overview`: the time of its SELECTs on a bare client in one
 * transaction, divided by our time, which also reads three parts that may fail separately and builds the queue.
 */
const { values: flags } = parseArgs({
  options: {
    alerts: { type: 'string', default: '100000' },
    findings: { type: 'string', default: '50000' },
    cases: { type: 'string', default: '10000' },
    small: { type: 'boolean', default: false },
  },
});
const sizes: BusySizes = flags.small
  ? { alerts: 5_000, findings: 2_500, cases: 500 }
  : { alerts: Number(flags.alerts), findings: Number(flags.findings), cases: Number(flags.cases) };
const ROUNDS = 300;
const WARM_ROUNDS = 20;
const TREND_DAYS = 90;
const PRINTED = {
  p99Ms: 'overviewP99Ms',
  metricsP99Ms: 'metricsP99Ms',
  trendsP99Ms: 'trendsP99Ms',
  funnelP99Ms: 'funnelP99Ms',
  threatsP99Ms: 'threatsP99Ms',
} as const;
const ACCOUNT = 'org_01';
const CALLER = {
  kind: 'key',
  id: 'key_01',
  accountId: ACCOUNT,
  userId: 'usr_01',
  organizationId: ACCOUNT,
  role: null,
  plan: 'PRO',
} as const;
const clock = systemClock();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const round = (value: number): number => Number(value.toFixed(3));
const database = new URL(loadConfig().DATABASE_URL);
database.pathname = `/assay_bench_overview_${process.pid}`;

async function onServer(path: string, ...texts: readonly string[]): Promise<void> {
  const server = new URL(database);
  server.pathname = path;
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0;

async function time(work: () => Promise<unknown>): Promise<readonly number[]> {
  for (let done = 0; done < WARM_ROUNDS; done += 1) await work();
  const times: number[] = [];
  for (let done = 0; done < ROUNDS; done += 1) {
    const startMs = clock.monotonic();
    await work();
    times.push(clock.monotonic() - startMs);
  }
  return times;
}

const isSelect = ({ text }: Statement): boolean =>
  /^\s*(select|with)\b/i.test(text) && !text.includes('set_config');

/** The same SELECTs as the same role, without the transactions of the parts and without what is made of the rows. */
async function timeBare(statements: readonly Statement[]): Promise<readonly number[]> {
  const client = new pg.Client({
    connectionString: database.href,
    options: '-c role=assay_app -c timezone=UTC -c jit=off',
  });
  await client.connect();
  try {
    return await time(async () => {
      await client.query('begin');
      await client.query(`select set_config('assay.account', $1, true)`, [ACCOUNT]);
      for (const { text, values } of statements) await client.query(text, [...values]);
      await client.query('commit');
    });
  } finally {
    await client.end();
  }
}

async function fill(system: Postgres, postgres: Postgres): Promise<void> {
  await putAlerts(system.db, ACCOUNT, sizes);
  await putFindings(system.db, ACCOUNT, sizes);
  await postgres.withAccount(ACCOUNT, (tx) => putCases(tx, ACCOUNT, sizes));
  await refreshStatistics({ clock, transaction: system.transaction });
  await onServer(database.pathname, 'vacuum analyze');
}

/** A process reads the figures of the corpus once a minute; here each round is a process that has not read them. */
async function readThreats(postgres: Postgres): Promise<void> {
  const route = analyticsRoutes({ clock, postgres }).find(({ path }) => path === '/metrics/threats');
  if (route === undefined) throw new Error('There is no route /metrics/threats.');
  await route.handle({} as never);
}

async function measure(system: Postgres, postgres: Postgres): Promise<Record<string, number>> {
  await fill(system, postgres);
  const deps = { clock, postgres };
  const log = createLog('warn');
  const readOnce = () => readOverview({ ...deps, log, parts: ACTION_CENTER_PARTS }, CALLER);
  const statements = (await recordStatements(postgres, readOnce)).filter(isSelect);
  const answer = await readOnce();
  if (answer.degraded) throw new Error(`The overview lacks ${answer.missing.join(', ')}.`);
  const bare = await timeBare(statements);
  const overview = await time(readOnce);
  const p99 = async (work: () => Promise<unknown>): Promise<number> => round(at(await time(work), 0.99));
  return {
    ratio: round(at(bare, 0.5) / at(overview, 0.5)),
    statements: statements.length,
    bareP50Ms: round(at(bare, 0.5)),
    bareP99Ms: round(at(bare, 0.99)),
    overviewP50Ms: round(at(overview, 0.5)),
    overviewP99Ms: round(at(overview, 0.99)),
    metricsP99Ms: await p99(() => measureAlerts(deps, CALLER)),
    trendsP99Ms: await p99(() => trendsOf(deps, CALLER, TREND_DAYS)),
    funnelP99Ms: await p99(() => funnelOf(deps, CALLER, TREND_DAYS)),
    threatsP99Ms: await p99(() => readThreats(postgres)),
  };
}

await migrate(database.href);
const config = { DATABASE_URL: database.href, POSTGRES_POOL_MAX: 4 };
const system = asSystem(config);
const postgres = connectPostgres(config, 'assay_app', BATCH_LIMITS);
try {
  const figures = await measure(system, postgres);
  say(JSON.stringify({ ...sizes, ...figures }));
  say(`ratio overview ${figures.ratio}`);
  for (const [figure, of] of Object.entries(PRINTED)) say(`figure overview.${figure} ${figures[of]}`);
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const record = { ...sizes, ...figures, cores: cpus().length, load: loadavg().map(round) };
  writeFileSync(join(folder, 'overview.json'), `${JSON.stringify(record, null, 2)}\n`);
} finally {
  await Promise.all([system.close(), postgres.close()]);
  await onServer('/postgres', `drop database if exists "${database.pathname.slice(1)}" with (force)`);
}
