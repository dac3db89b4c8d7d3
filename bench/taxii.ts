import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { StandingDeps } from '../server/src/capabilities/standing/index.ts';
import { publishChanges } from '../server/src/capabilities/taxii/keep-collections.ts';
import { compareCollections, readState } from '../server/src/capabilities/taxii/object-store.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { type Postgres, sql } from '../server/src/platform/postgres.ts';
import { databaseUrl, dropDatabase } from '../server/test/support/database.ts';
import { startService } from '../server/test/support/service.ts';
import { openAccounts } from '../server/test/support/service-accounts.ts';
import { writeWrkScript, wrk } from './support/wrk.ts';

/**
 * npm run bench:taxii -- [--seconds 5] [--rounds 5] [--standings 3300000]
 * Times comparing the collections with the standings and publishing a tenth of them. Then counts pages of 1,000 a
 * second through the service, with a key, beside the bare keyset query. One connection each, in turns.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    standings: { type: 'string', default: '3300000' },
  },
});
const [seconds, rounds, standings] = [Number(flags.seconds), Number(flags.rounds), Number(flags.standings)];
const OBJECTS = `/taxii/api-root/collections/malicious-domains/objects?limit=1001`;
const TAXII = 'application/taxii+json;version=2.1';
const CLASSES = 75_000;
const PAGES = 25;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const timed = async (name: string, work: () => Promise<unknown>): Promise<void> => {
  const started = performance.now();
  await work();
  say(`figure ${name} ${((performance.now() - started) / 1_000).toFixed(1)}`);
};

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-taxii-'));
const database = `assay_bench_taxii_${randomBytes(6).toString('hex')}`;

/** Fills the tables so that one standing in ten is exported, each of them listed once with a family and a report. */
async function fill({ transaction, db }: Postgres): Promise<void> {
  const key = sql`'\\x05'::bytea || convert_to('host-' || n || '.net', 'UTF8')`;
  await transaction(async (tx) => {
    await sql`insert into source (id, name, category, redistributable, data_at) values ('bench', 'Bench', 'malware', true, now())`.execute(
      tx,
    );
    await sql`insert into standing (key, class_id) select ${key}, n % ${CLASSES}
                from generate_series(1, ${standings}) n`.execute(tx);
    await sql`insert into indicator (key, value) select ${key}, 'host-' || n || '.net'
                from generate_series(1, ${standings}) n where n % 10 = 0`.execute(tx);
    await sql`insert into listing (listed_from, first_seen, source_number, key, reference, family, dated_by)
              select now(), now(), number, ${key}, 'https://example.org/report/' || n, 'emotet', 0
                from source, generate_series(1, ${standings}) n where n % 10 = 0`.execute(tx);
    await sql`insert into taxii_class
              select n, 50, 'medium', 50, 60, 1, '{malware}', case when n % 10 = 0 then 2 else 0 end,
                     (extract(epoch from now()) / 3600)::int + 500, (extract(epoch from now()) / 3600)::int
                from generate_series(0, ${CLASSES - 1}) n`.execute(tx);
  });
  for (const table of ['standing', 'taxii_class', 'indicator', 'listing'])
    await sql`analyze ${sql.table(table)}`.execute(db);
}

async function publish(system: Postgres): Promise<void> {
  const clock = systemClock();
  const deps = { judge: { clock } as StandingDeps, audience: 'public' as const };
  const nowH = Math.floor(clock.now() / 3_600_000);
  const compare = () => system.transaction((tx) => compareCollections(tx, nowH));
  const state = await system.transaction(readState);
  const follow = { run: 'bench', transaction: system.transaction };
  await timed('taxii-compare-empty-s', compare);
  await timed('taxii-publish-s', () => publishChanges(deps, follow, state));
  await sql`select taxii_analyze(true)`.execute(system.db);
  await timed('taxii-compare-unchanged-s', compare);
  const { rows } = await sql<{ objects: number; bytes: number; changes: number }>`
    select (select count(*) from taxii_object)::int as objects, (select count(*) from taxii_change)::int as changes,
           pg_total_relation_size('taxii_object')::float8 as bytes`.execute(system.db);
  const [told] = rows;
  if (told === undefined) throw new Error('The collections could not be counted.');
  const { objects, bytes, changes } = told;
  if (changes !== 0) throw new Error(`A comparison without a change found ${changes} of them.`);
  say(`figure taxii-objects ${objects} of ${Math.round(bytes / objects)} bytes`);
}

/** The paths of the first pages, as a client would walk them. */
async function pathsOf(url: string, key: string): Promise<readonly string[]> {
  const paths: string[] = [];
  let path = OBJECTS;
  while (paths.length < PAGES) {
    paths.push(path);
    const answer = await fetch(`${url}${path}`, { headers: { 'X-API-KEY': key, Accept: TAXII } });
    const next = answer.headers.get('x-taxii-next');
    await answer.arrayBuffer();
    if (!answer.ok || next === null) throw new Error(`A page answered ${answer.status} without a next one.`);
    // The token holds the order, so only the first page needs the header.
    path = `${OBJECTS}&next=${encodeURIComponent(next)}`;
  }
  return paths;
}

/** Pages a second of the bare query, which reads the same stored objects. */
async function barePages(client: pg.Client): Promise<number> {
  const ends = performance.now() + seconds * 1_000;
  let [pages, after, walked] = [0, '0', 0];
  while (performance.now() < ends) {
    const { rows } = await client.query({
      name: 'bare',
      text: `select id, added_us, stix from taxii_object
              where (collections | left_collections) & 2 <> 0 and added_us > $1 order by added_us limit 1000`,
      values: [after],
    });
    pages += 1;
    walked = walked + 1 === PAGES ? 0 : walked + 1;
    after = walked === 0 ? '0' : (rows.at(-1)?.added_us ?? '0');
  }
  return pages / seconds;
}

try {
  await migrate(databaseUrl(database));
  const service = await startService({
    databaseUrl: databaseUrl(database),
    env: { SHED_DELAY_FACTOR: '100' },
  });
  const accounts = openAccounts(service);
  const client = new pg.Client({ connectionString: databaseUrl(database) });
  await client.connect();
  try {
    const { system } = accounts;
    await timed('taxii-fill-s', () => fill(system));
    await publish(system);
    const { credential } = await accounts.newAccount('bench@example.com', {
      plan: 'ENTERPRISE',
      limits: { burstPerMinute: 1_000_000 },
    });
    const paths = await pathsOf(service.url, credential);
    const script = join(folder, 'ours.lua');
    writeWrkScript(script, paths.slice(1), credential);
    const seen: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
    for (let round = 0; round < rounds; round += 1) {
      const result = await wrk(service.url, script, seconds, 1);
      if (result.notOk > 0 || result.errors > 0) throw new Error(JSON.stringify(result));
      seen.ours.push(result.requestsPerSecond);
      seen.bare.push(await barePages(client));
    }
    const pairs = seen.ours.map((mine, i) => mine / (seen.bare[i] ?? Number.NaN));
    say(
      `figure taxii-pages-s ${median(seen.ours).toFixed(1)} beside the query ${median(seen.bare).toFixed(1)}`,
    );
    say(`ratio taxii-page ${median(pairs).toFixed(2)}`);
    mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
    writeFileSync(
      join(import.meta.dirname, 'results/taxii.json'),
      `${JSON.stringify({ cpu: cpus()[0]?.model, cores: cpus().length, standings, ...seen }, null, 2)}\n`,
    );
  } finally {
    await client.end();
    await accounts.close();
    await service.stop();
  }
} finally {
  await dropDatabase(database);
  rmSync(folder, { recursive: true, force: true });
}
