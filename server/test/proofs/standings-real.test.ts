import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  confirmFetch,
  corpusDataset,
  listSources,
  mergeSnapshot,
  registerSource,
  type SourceSettings,
} from '#capabilities/corpus/index.ts';
import { keepStandings, verifyStandings, walkStandings } from '#capabilities/standing/index.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { keepResult } from '#test/proof-results.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
import { admin } from '#test/service.ts';
import { type OpenedJudge, openJudge } from '../../src/app/open-judge.ts';

/** The standings of the whole data set beside the project, through changes, hours and refetches. */
const DATA = join(import.meta.dirname, '../../../../shared/data');
const HAS_DATA = existsSync(join(DATA, 'MANIFEST.json'));
const HOUR_MS = 3_600_000;
/** The data set was fetched in the hours before. */
const START_MS = Date.parse('2026-08-23T01:00:00Z');
const TRUE = { wrong: 0, missing: 0, extra: 0, examples: [] };
const CHANGES = 20_000;
const CHANGES_A_MERGE = 500;
const HOURS = 72;
const ACCUSED_MIN = 3_300_000;
const FIRST_WALK_MAX_S = 240;
const STEADY_MAX = 0.03;
/** Changes of one percent of 3.3 million values a day. */
const CHANGES_AN_HOUR = 1_390;
const log = createLog('silent');
const real = systemClock();

const LISTS = {
  'made-c2': { category: 'c2', reliability: 0.9, letter: 'A', redistributable: true },
  'made-phishing': { category: 'phishing', reliability: 0.7, letter: 'B', redistributable: true },
  'made-closed': { category: 'malware', reliability: 0.8, redistributable: false },
  'made-archive': { category: 'malware', semantics: 'archive', reliability: 0.8 },
  'made-window': { category: 'bruteforce', semantics: 'window', reliability: 0.5 },
  'made-popular': { threatClass: 'allowlist', guard: 'popularity', rankMax: 1_000 },
  'made-cdn': { threatClass: 'infrastructure', guard: 'service', category: 'cdn' },
  'made-known': { threatClass: 'allowlist', guard: 'known-good' },
} as const satisfies Record<string, SourceSettings>;
type ListId = keyof typeof LISTS;
const LIST_IDS = Object.keys(LISTS) as ListId[];

let nowMs = START_MS;
const clock: Clock = { now: () => nowMs, monotonic: real.monotonic };
let database: TestDatabase;
let system: Postgres;
let owner: pg.Client;
let dataDir: string;
let built: BuiltReplica;
let judge: OpenedJudge;
let runs = 0;
const contents = new Map<ListId, Map<string, Indicator>>(LIST_IDS.map((id) => [id, new Map()]));
/** The seed is printed by the runner of the lane; fast-check's generator makes every choice repeatable. */
const seed = Number(process.env.ASSAY_SEED ?? 20_261_117);
const choices = fc.sample(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
  seed,
  numRuns: 400_000,
});
let chosen = 0;
const choose = (below: number): number => {
  chosen += 1;
  return Math.floor((choices[chosen % choices.length] ?? 0) * below);
};

const options = () => {
  runs += 1;
  return { run: `run-${runs}`, transaction: system.transaction };
};
const keep = () => keepStandings(judge, options());
const verify = () => verifyStandings(judge, system.db);

const importDataSet = () =>
  admin(
    {
      ASSAY_ENV: 'test',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      CLOCK_OFFSET_MS: String(START_MS - HOUR_MS / 2 - real.now()),
    },
    ['feeds', 'import-manifest', DATA],
  );

/** CPU seconds of this process and of its connections in PostgreSQL. */
async function cpuSeconds(): Promise<number> {
  const { user, system: kernel } = process.cpuUsage();
  const { rows } = await owner.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  const ticks = rows.map(({ pid }) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    } catch {
      return 0;
    }
  });
  return (user + kernel) / 1e6 + ticks.reduce((sum, each) => sum + each, 0) / 100;
}

/** Indicators to compare: values of the corpus, and ranges, /64 neighbours, parents, subdomains and URLs of them. */
async function drawValues(count: number): Promise<readonly Indicator[]> {
  const { rows } = await owner.query<{ value: string }>(
    `select value from indicator tablesample system (0.5) repeatable (${choose(1e6)}) where value is not null limit ${count * 4}`,
  );
  const values = Array.from({ length: count }, () =>
    around(rows[choose(rows.length)]?.value ?? '45.83.64.1'),
  );
  return values.flatMap((value) => {
    const parsed = parseIndicator(value);
    return parsed.ok ? [parsed.indicator] : [];
  });
}

function around(value: string): string {
  const which = choose(6);
  if (/^\d+\.\d+\.\d+\.\d+$/.test(value)) {
    const [a, b, c] = value.split('.');
    if (which === 0) return `${a}.${b}.${c}.0/24`;
    if (which === 1) return `${a}.${b}.${Number(c) & 0xf0}.0/20`;
    if (which === 2) return `${a}.${b}.${c}.${choose(256)}`;
    return which === 3 ? `http://${value}/panel` : value;
  }
  if (/^[a-z0-9.-]+\.[a-z]+$/.test(value)) {
    if (which === 0) return value.split('.').slice(-2).join('.');
    if (which === 1) return `www.${value}`;
    if (which === 2) return `login.${value}`;
    return which === 3 ? `https://${value}/sign-in` : value;
  }
  if (value.includes(':') && !value.includes('/') && which < 2)
    return `${value.split(':').slice(0, 3).join(':')}::/48`;
  return value;
}

/** Adds and removes entries of one made list; as many changes as asked for. */
async function changeList(id: ListId, count: number): Promise<void> {
  const content = contents.get(id) as Map<string, Indicator>;
  const present = [...content.keys()];
  for (const indicator of await drawValues(count)) {
    if (present.length > 50 && choose(3) === 0) content.delete(present[choose(present.length)] as string);
    else content.set(indicator.value, indicator);
  }
  const rows = [...content.values()].map((indicator, index) => ({
    indicator,
    ...(index % 3 === 0 && { firstSeenMs: nowMs - choose(900) * HOUR_MS }),
  }));
  await mergeSnapshot({ system, clock }, id, [rows], {
    dataAtMs: nowMs,
    settings: LISTS[id],
    allowEmpty: true,
  });
}

/** 72 judgements of 75,000 classes, a walk and a comparison take half an hour on busy cores. */
const TIME_MAX_MS = 3 * HOUR_MS;

describe.skipIf(!HAS_DATA)(
  'the standings of the whole data set (where it lies beside the project)',
  {
    timeout: TIME_MAX_MS,
  },
  () => {
    beforeAll(async () => {
      database = await createTestDatabase();
      dataDir = mkdtempSync(join(tmpdir(), 'assay-standings-real-'));
      system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
      owner = new pg.Client({ connectionString: database.url });
      await owner.connect();
      await importDataSet();
      built = await buildReplica(system, corpusDataset);
      judge = await openJudge({ postgres: system, dataDir, replicaDir: built.dataDir, log, clock });
    }, 3_600_000);
    afterAll(async () => {
      await judge?.close();
      await built?.close();
      await owner?.end();
      await system?.close();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    });

    test('the first walk classes all of them, and each equals what a check says', async () => {
      const startedMs = real.monotonic();
      const cpu = await cpuSeconds();
      const { followed } = await keep();
      const walkS = (real.monotonic() - startedMs) / 1_000;
      const walkCpuS = (await cpuSeconds()) - cpu;
      const verified = await verify();
      const { rows } = await owner.query<{ classes: number; bytes: number }>(
        `select (select count(*)::int from standing_class) as classes,
              pg_total_relation_size('standing')::float8 as bytes`,
      );
      const { classes = 0, bytes = 0 } = rows[0] ?? {};
      keepResult('standings-real', {
        accused: verified.compared,
        classes,
        walkS,
        walkCpuS,
        bytesEach: bytes / verified.compared,
      });
      expect(followed.put).toBeGreaterThanOrEqual(ACCUSED_MIN);
      expect(verified).toMatchObject(TRUE);
      expect(walkS).toBeLessThan(FIRST_WALK_MAX_S);
    });

    test('after 20,000 changes, and lists that are switched, rated and licensed differently, all are equal', async () => {
      for (let done = 0; done < CHANGES; done += CHANGES_A_MERGE) {
        await changeList(LIST_IDS[choose(LIST_IDS.length)] as ListId, CHANGES_A_MERGE);
        nowMs += 60_000;
        await built.sync();
        expect((await keep()).followed.isOurs).toBe(true);
      }
      const sources = (await listSources(system.db)).filter(
        ({ enabled, entries }) => enabled && entries < 50_000,
      );
      const some = () => sources[choose(sources.length)]?.id ?? 'made-c2';
      const [switched, rated, licensed] = [some(), some(), some()];
      await registerSource({ system, clock }, switched, { enabled: false });
      await registerSource({ system, clock }, rated, { reliability: 0.33 });
      await registerSource({ system, clock }, licensed, { redistributable: false });
      await built.sync();
      await keep();
      await registerSource({ system, clock }, switched, { enabled: true });
      nowMs += HOUR_MS;
      await built.sync();
      await keep();
      const verified = await verify();
      expect(verified).toMatchObject(TRUE);
      keepResult('standings-real-changed', { compared: verified.compared });
    });

    test('after 72 hours with refetches and one percent of change a day all are equal, and a walk corrects none', async () => {
      const sources = (await listSources(system.db)).filter(({ enabled }) => enabled);
      let cpu = 0;
      await keep();
      for (let hour = 0; hour < HOURS; hour += 1) {
        nowMs += HOUR_MS;
        for (const { id } of sources) await system.transaction((tx) => confirmFetch(tx, { clock }, id));
        await changeList(LIST_IDS[hour % LIST_IDS.length] as ListId, CHANGES_AN_HOUR);
        await built.sync();
        const before = await cpuSeconds();
        const { judged } = await keep();
        cpu += (await cpuSeconds()) - before;
        expect(judged).toMatchObject({ wasDue: true, skipped: 0 });
      }
      const share = cpu / (HOURS * 3_600);
      const walked = await walkStandings(judge, options());
      const verified = await verify();
      keepResult('standings-real-hours', {
        hours: HOURS,
        compared: verified.compared,
        corrected: walked?.followed.corrected ?? -1,
        walkS: (walked?.tookMs ?? 0) / 1_000,
        cpuAnHourS: cpu / HOURS,
        percentOfACore: share * 100,
      });
      expect(walked?.followed.corrected).toBe(0);
      expect(verified).toMatchObject(TRUE);
      expect(share).toBeLessThan(STEADY_MAX);
    });
  },
);
