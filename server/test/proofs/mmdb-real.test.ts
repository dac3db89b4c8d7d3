import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { corpusDataset, KIND } from '#capabilities/corpus/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import {
  type AddressRecord,
  createRecordJudge,
  EXPORT_MIN_SCORE,
} from '#capabilities/mmdb/address-record.ts';
import { buildMmdb } from '#capabilities/mmdb/index.ts';
import { type Audience, createCaseReader, keepStandings } from '#capabilities/standing/index.ts';
import { carriedIpv4, formatIpv4, formatIpv6, type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { keepResult } from '#test/proof-results.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { admin } from '#test/service.ts';
import { type OpenedJudge, openJudge } from '../../src/app/open-judge.ts';
import { canonical, READERS } from './mmdb-real/readers.ts';

/** The address database of the whole data set beside the project, read by programs of others. */
const DATA = join(import.meta.dirname, '../../../../shared/data');
const HAS_DATA = existsSync(join(DATA, 'MANIFEST.json'));
const START_MS = Date.parse('2026-08-23T01:00:00Z');
const BUILD_MAX_S = 90;
const ASKED = 100_000;
const log = createLog('silent');
const real = systemClock();
const clock: Clock = { now: () => START_MS, monotonic: real.monotonic };
const random = seededRandom('mmdb-real');
const below = (limit: number): number => Math.floor(random() * limit);

let database: TestDatabase;
let system: Postgres;
let dataDir: string;
let built: BuiltReplica;
let judge: OpenedJudge;

const keyOf = (ip: Ip): Buffer =>
  ip.version === 4
    ? Buffer.from([
        KIND.ipv4,
        ip.address >>> 24,
        (ip.address >>> 16) & 255,
        (ip.address >>> 8) & 255,
        ip.address & 255,
      ])
    : Buffer.from([KIND.ipv6, ...ip.bytes]);
const ipOf = (text: string): Ip => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'ip') throw new Error(`'${text}' is no address.`);
  return parsed.indicator;
};

/** What the rules say of one address, read and judged on its own: no class, no tree, no cutting of ranges. */
function createOwnAnswers(audience: Audience): (text: string) => AddressRecord | null {
  const caseOf = createCaseReader(judge);
  const judgeRecord = createRecordJudge(audience);
  const ranges = new Map<string, boolean>();
  const isListedRange = (text: string): boolean => {
    const known = ranges.get(text);
    if (known !== undefined) return known;
    const parsed = parseIndicator(text);
    if (!parsed.ok || parsed.indicator.kind !== 'cidr') throw new Error(`'${text}' is no range.`);
    const { indicator } = parsed;
    const key =
      indicator.version === 4
        ? Buffer.from([KIND.cidr4, ...keyOf(ipOf(formatIpv4(indicator.address))).subarray(1), indicator.bits])
        : Buffer.from([KIND.cidr6, ...indicator.bytes, indicator.bits]);
    const read = caseOf(key, START_MS);
    const isListed = read !== null && judgeRecord(read, false) !== null;
    ranges.set(text, isListed);
    return isListed;
  };
  return (text) => {
    const ip = ipOf(text);
    const carried = carriedIpv4(ip);
    // A tree cannot follow the address inside a Teredo or a local NAT64 address.
    if (carried?.carrier === 'Teredo' || (carried?.carrier === 'NAT64' && !text.startsWith('64:ff9b::')))
      return null;
    const read = caseOf(keyOf(carried?.ip ?? ip), START_MS);
    if (read === null) return null;
    const isCovered = read.input.listings.some(
      ({ matchType, matched }) => matchType === 'cidr' && isListedRange(matched),
    );
    return judgeRecord(read, isCovered);
  };
}

/** Listed addresses, addresses in and beside listed ranges, neighbours, carriers of IPv4, and random ones. */
async function drawAddresses(): Promise<readonly string[]> {
  const keys = async (from: number, limit: number, least = 0) =>
    (
      await sql<{ key: Buffer }>`
        select s.key from standing s join standing_class c on c.id = s.class_id
         where s.key >= ${Buffer.of(from)} and s.key < ${Buffer.of(from + 1)} and c.shared_score >= ${least}
         order by md5(s.key) limit ${limit}`.execute(system.db)
    ).rows.map(({ key }) => key);
  const v4 = (address: number): string => formatIpv4(address >>> 0);
  const singles = [...(await keys(KIND.ipv4, 30_000, EXPORT_MIN_SCORE)), ...(await keys(KIND.ipv4, 15_000))];
  const onList = await keys(KIND.cidr4, 10_000, EXPORT_MIN_SCORE);
  const ranges = [...onList, ...onList, ...onList, ...(await keys(KIND.cidr4, 10_000))].slice(0, 18_000);
  const six = await keys(KIND.ipv6, 5_000);
  const ranges6 = await keys(KIND.cidr6, 5_000);
  const addresses = singles.map((key) => v4(key.readUInt32BE(1)));
  for (const key of singles.slice(0, 8_000))
    addresses.push(v4(key.readUInt32BE(1) + (below(2) === 0 ? 1 : -1)));
  for (const key of ranges) addresses.push(v4(key.readUInt32BE(1) + below(2 ** (32 - (key[5] as number)))));
  for (const key of ranges.slice(0, 2_000)) addresses.push(v4(key.readUInt32BE(1) - 1));
  for (const key of six) {
    addresses.push(formatIpv6(key.subarray(1)));
    const beside = Buffer.from(key.subarray(1));
    beside[15] = (beside[15] as number) ^ 1;
    addresses.push(formatIpv6(beside));
  }
  for (const key of ranges6) {
    const inside = Buffer.from(key.subarray(1, 17));
    for (let bit = key[17] as number; bit < 128; bit += 1)
      if (below(2) === 1) inside[bit >> 3] = (inside[bit >> 3] as number) | (128 >> (bit & 7));
    addresses.push(formatIpv6(inside));
  }
  for (const key of singles.slice(0, 6_000)) {
    const hex = key.subarray(1).toString('hex');
    addresses.push(
      `2002:${hex.slice(0, 4)}:${hex.slice(4)}::${below(9_999)}`,
      `64:ff9b::${hex.slice(0, 4)}:${hex.slice(4)}`,
    );
  }
  while (addresses.length < ASKED) addresses.push(v4(below(2 ** 32)));
  return addresses.slice(0, ASKED);
}

async function build(audience: Audience) {
  const startedMs = real.monotonic();
  const cpu = process.cpuUsage();
  const report = await buildMmdb({ judge, audience, transaction: system.transaction });
  const { user, system: kernel } = process.cpuUsage(cpu);
  const file = await createArtifacts({ postgres: system, dataDir, log, clock }).openArtifact('mmdb');
  return {
    report,
    path: file?.path ?? '',
    seconds: (real.monotonic() - startedMs) / 1_000,
    cpuSeconds: (user + kernel) / 1e6,
  };
}

describe.skipIf(!HAS_DATA)(
  'the address database of the whole data set (where it lies beside the project)',
  () => {
    beforeAll(async () => {
      database = await createTestDatabase();
      dataDir = mkdtempSync(join(tmpdir(), 'assay-mmdb-real-'));
      system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
      const env = {
        ASSAY_ENV: 'test',
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        CLOCK_OFFSET_MS: String(START_MS - 1_800_000 - real.now()),
      };
      await admin(env, ['feeds', 'import-manifest', DATA]);
      await admin(env, ['reference', 'import-manifest', DATA]);
      built = await buildReplica(system, corpusDataset);
      judge = await openJudge({ postgres: system, dataDir, replicaDir: built.dataDir, log, clock });
      await keepStandings(judge, { run: 'first', transaction: system.transaction });
    }, 3_600_000);
    afterAll(async () => {
      await judge?.close();
      await built?.close();
      await system?.close();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    });

    test('is built in 90 seconds, and four readers find for 100,000 addresses what we answer ourselves', async () => {
      const { report, path, seconds, cpuSeconds } = await build('public');
      expect(report.outcome).toBe('built');
      const addresses = await drawAddresses();
      const answer = createOwnAnswers('public');
      const expected = addresses.map((address) => canonical(answer(address)));
      const held = expected.filter((record) => record !== 'null').length;
      keepResult('mmdb-real', {
        addresses: report.addresses,
        ranges: report.ranges,
        records: report.records,
        megabytes: statSync(path).size / 1e6,
        seconds,
        cpuSeconds,
        asked: addresses.length,
        held,
      });
      for (const [name, read] of Object.entries(READERS)) {
        const startedMs = real.monotonic();
        const found = await read(path, addresses);
        const others = addresses.flatMap((address, at) =>
          found[at] === expected[at] ? [] : [`${address}: ${found[at]} and not ${expected[at]}`],
        );
        keepResult(`mmdb-real-${name}`, {
          others: others.length,
          seconds: (real.monotonic() - startedMs) / 1_000,
        });
        expect(others.slice(0, 10), name).toEqual([]);
        expect(found).toHaveLength(addresses.length);
      }
      expect(held).toBeGreaterThan(ASKED / 4);
      expect(seconds).toBeLessThan(BUILD_MAX_S);
    });

    test('for the operator itself the score of every record is the score of a check', async () => {
      const { path } = await build('internal');
      const addresses = (await drawAddresses()).slice(0, ASKED / 4);
      const found = await READERS.mmdbLib?.(path, addresses);
      const assess = createAssessor({ ...judge, misses: createMissCache(clock) });
      let compared = 0;
      for (const [at, address] of addresses.entries()) {
        const record = JSON.parse(found?.[at] ?? 'null') as AddressRecord | null;
        if (record === null) continue;
        const { riskScore } = assess(ipOf(address), START_MS).verdict;
        expect({ score: record.score, level: record.level }, address).toEqual({
          score: riskScore.score,
          level: riskScore.level,
        });
        compared += 1;
      }
      keepResult('mmdb-real-checks', { compared });
      expect(compared).toBeGreaterThan(5_000);
    });
  },
);
