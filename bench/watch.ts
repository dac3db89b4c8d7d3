import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import {
  corpusDataset,
  createKeyWriter,
  mergeSnapshot,
  openCorpus,
} from '../server/src/capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '../server/src/capabilities/enrichment/index.ts';
import { keepWatched } from '../server/src/capabilities/monitoring/follow-watched.ts';
import { createJudge } from '../server/src/capabilities/monitoring/judge-target.ts';
import { reachOf } from '../server/src/capabilities/monitoring/target.ts';
import { keysInReach } from '../server/src/capabilities/monitoring/target-store.ts';
import { NO_SIGNAL_BOOK } from '../server/src/capabilities/signals/index.ts';
import { parseIndicator } from '../server/src/domain/indicator/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { asSystem, type Postgres, sql } from '../server/src/platform/postgres.ts';
import { putWatched, watchedDomain, watchedIp } from '../server/test/support/monitoring-load.ts';
import { buildReplica } from '../server/test/support/replica.ts';

/**
 * npm run bench:watch -- [--items 10000000] [--accounts 1000] [--changed 30000] [--small]
 * How long a merge takes to raise alerts on a large watchlist. `ratio watch-match`: the time of a bare index join of
 * the changed with the watched keys, divided by ours, which includes ranges, parents and hosts. Half of the keys match.
 */
const { values: flags } = parseArgs({
  options: {
    items: { type: 'string', default: '10000000' },
    accounts: { type: 'string', default: '1000' },
    changed: { type: 'string', default: '30000' },
    small: { type: 'boolean', default: false },
  },
});
const items = flags.small ? 200_000 : Number(flags.items);
const accounts = Number(flags.accounts);
const changed = flags.small ? 3_000 : Number(flags.changed);
const ROUNDS = 5;
const clock = systemClock();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const round = (value: number): number => Number(value.toFixed(3));
const database = new URL(loadConfig().DATABASE_URL);
database.pathname = `/assay_bench_watch_${process.pid}`;
const C2 = { category: 'c2', reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;

async function timed<T>(what: string, work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const startMs = clock.monotonic();
  const result = await work();
  const seconds = round((clock.monotonic() - startMs) / 1_000);
  say(`${what}: ${seconds} s`);
  return { result, seconds };
}

async function onServer(path: string, text: string): Promise<void> {
  const server = new URL(database);
  server.pathname = path;
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  await client.query(text);
  await client.end();
}

const indicatorOf = (text: string) => {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(`'${text}' is no indicator.`);
  return parsed.indicator;
};

/** The changed values: half are watched; the rest are unwatched, or a range or parent of a watched value. */
function changedValues(): readonly string[] {
  const values: string[] = [];
  const step = Math.max(1, Math.floor(items / changed));
  for (let at = 0; values.length < changed; at += 1) {
    const n = (at * step) % items;
    if (at % 10 < 5) values.push(at % 2 === 0 ? watchedIp(n) : watchedDomain(n));
    else if (at % 10 < 9) values.push(`cold${at}.other${at % 977}.net`);
    else
      values.push(
        at % 20 === 9
          ? `${watchedIp(n).replace(/\d+$/, '0')}/30`
          : watchedDomain(n).split('.').slice(1).join('.'),
      );
  }
  return [...new Set(values)];
}

async function measure(system: Postgres): Promise<Record<string, number>> {
  await mergeSnapshot({ system, clock }, 'c2', [[{ indicator: indicatorOf('203.0.114.1') }]], {
    dataAtMs: clock.now(),
    settings: C2,
    allowEmpty: true,
  });
  const built = await buildReplica(system, corpusDataset);
  try {
    await built.sync();
    const sources = {
      corpus: openCorpus(built.replica),
      enrichment: { book: () => EMPTY_BOOK },
      signals: { book: () => NO_SIGNAL_BOOK },
      clock,
      refresh: () => built.replica.refresh(),
    };
    const judge = createJudge(sources);
    const mail = {
      letters: { canSendLetters: false, enqueueLetter: async () => undefined },
      publicWebUrl: 'https://app.example.test',
    };
    const deps = { checking: { ...sources, judge }, mail };
    let runs = 0;
    const keep = () => {
      runs += 1;
      return keepWatched(deps, { run: `bench-${runs}`, transaction: system.transaction });
    };
    await keep();
    await timed('watched items', () =>
      putWatched(system.db, { items, accounts }, (value) => judge(indicatorOf(value), clock.now())),
    );
    await onServer(database.pathname, 'vacuum analyze watch_target; ');
    await onServer(database.pathname, 'vacuum analyze watch_item');
    const values = changedValues();
    await timed('merge', () =>
      mergeSnapshot({ system, clock }, 'c2', [values.map((value) => ({ indicator: indicatorOf(value) }))], {
        dataAtMs: clock.now(),
        settings: C2,
        allowEmpty: true,
      }),
    );
    await built.sync();
    const writer = createKeyWriter();
    const keys = values.map((value) => Buffer.from(writer.of(indicatorOf(value))));
    const times = { match: [] as number[], bare: [] as number[] };
    for (let at = 0; at < ROUNDS; at += 1) {
      times.bare.push((await timed('bare join', () => joinBare(system, keys))).seconds);
      times.match.push(
        (await timed('match', () => system.transaction((tx) => keysInReach(tx, reachOf(keys))))).seconds,
      );
    }
    const kept = await timed(`${keys.length} changed keys`, keep);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from alert`.execute(
      system.db,
    );
    const [bare, match] = [Math.min(...times.bare), Math.min(...times.match)];
    const rssMb = Math.round(process.resourceUsage().maxRSS / 1_024);
    say(`alerts ${rows[0]?.count ?? 0}, moved ${kept.result.followed.put}`);
    say(`ratio watch-match ${round(bare / match)}`);
    say(`figure watch.seconds ${kept.seconds}`);
    say(`figure watch.rss-mb ${rssMb}`);
    return {
      changed: keys.length,
      alerts: rows[0]?.count ?? 0,
      seconds: kept.seconds,
      bare,
      match,
      ratio: round(bare / match),
      rssMb,
    };
  } finally {
    await built.close();
  }
}

async function joinBare(system: Postgres, keys: readonly Buffer[]): Promise<number> {
  const { rows } = await sql<{ key: Buffer }>`
    select t.key from unnest(${[...keys]}::bytea[]) as k (key) join watch_target t on t.key = k.key`.execute(
    system.db,
  );
  return rows.length;
}

await migrate(database.href);
const system = asSystem({ DATABASE_URL: database.href, POSTGRES_POOL_MAX: 4 });
try {
  const figures = await measure(system);
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const record = { items, accounts, ...figures, cores: cpus().length, load: loadavg().map(round) };
  writeFileSync(join(folder, 'watch.json'), `${JSON.stringify(record, null, 2)}\n`);
} finally {
  await system.close();
  await onServer('/postgres', `drop database if exists "${database.pathname.slice(1)}" with (force)`);
}
