import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { registerSource } from '../../server/src/capabilities/corpus/index.ts';
import { createKeyWriter } from '../../server/src/capabilities/corpus/indicator-key.ts';
import { type Indicator, parseIndicator } from '../../server/src/domain/indicator/index.ts';
import type { Clock } from '../../server/src/platform/clock.ts';
import type { Postgres } from '../../server/src/platform/postgres.ts';
import { DAY_S } from '../../server/src/platform/time-units.ts';

/**
 * A corpus that is the same on every run and machine: 40 % IPv4, 2 % IPv6, 3 % ranges of /8 to /28, 35 % domains, 10 %
 * URLs, 10 % hashes; 60 sources, 1.67 listings per indicator. Entry `index` can be generated again at any time; an
 * index at or past the size is a miss of the same shape.
 */
export type GeneratedKind = 'ipv4' | 'ipv6' | 'cidr' | 'domain' | 'url' | 'hash';

const SOURCES = 60;
export const DATA_AT_S = Date.UTC(2026, 7, 22) / 1_000;
/** Prefix lengths with their share of 1,000: an address lies in about 0.65 ranges at 90,000 ranges. */
const PREFIX_SHARES: readonly (readonly [bits: number, share: number])[] = [
  [8, 1],
  [12, 9],
  [16, 60],
  [20, 80],
  [22, 100],
  [23, 50],
  [24, 400],
  [26, 100],
  [28, 200],
];
const PREFIX_BY_ROLL = PREFIX_SHARES.flatMap(([bits, share]) => Array.from({ length: share }, () => bits));
const SUFFIXES = ['com', 'net', 'org', 'ru', 'xyz', 'top', 'info', 'co.uk', 'com.br', 'online'];
const WORDS = ['login', 'secure', 'cdn', 'mail', 'update', 'pay', 'shop', 'api', 'img', 'account'];

export function kindOf(index: number): GeneratedKind {
  const slot = index % 100;
  if (slot < 40) return 'ipv4';
  if (slot < 42) return 'ipv6';
  if (slot < 45) return 'cidr';
  if (slot < 80) return 'domain';
  return slot < 90 ? 'url' : 'hash';
}

/** Bijective on 32 bits, so distinct indexes give distinct addresses. */
const scatter = (index: number): number => (Math.imul(index ^ 0x5bd1e995, 0x9e3779b1) ^ 0x7f4a7c15) >>> 0;

/** Independent bits for the choices of one index (murmur3's finaliser). */
function mix(index: number, salt: number): number {
  let hash = (index ^ Math.imul(salt + 1, 0x85ebca6b)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;

export function textOf(index: number): string {
  switch (kindOf(index)) {
    case 'ipv4':
      return quad(scatter(index));
    case 'ipv6':
      return `2${(mix(index, 1) & 0xfff).toString(16).padStart(3, '0')}:${(scatter(index) >>> 16).toString(16)}:${(scatter(index) & 0xffff).toString(16)}::${(mix(index, 2) & 0xffff).toString(16)}`;
    case 'cidr':
      return rangeText(index);
    case 'domain':
      return domainText(index);
    case 'url':
      return `http${index % 2 === 0 ? 's' : ''}://${domainText(index)}/${pick(WORDS, mix(index, 5))}/${index.toString(36)}`;
    case 'hash':
      return hashText(index);
  }
}

/** Half are registrable domains, the rest one or two labels below one. */
function domainText(index: number): string {
  const registrable = `${pick(WORDS, mix(index, 3))}${index.toString(36)}.${pick(SUFFIXES, mix(index, 4))}`;
  const depth = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2][mix(index, 6) % 10] as number;
  return `${'www.'.repeat(depth > 1 ? 1 : 0)}${depth > 0 ? `${pick(WORDS, mix(index, 7))}.` : ''}${registrable}`;
}

function hashText(index: number): string {
  const algorithm = pick(['sha256', 'sha256', 'sha1', 'md5'], mix(index, 8));
  return createHash(algorithm).update(String(index)).digest('hex');
}

function rangeText(index: number): string {
  const bits = PREFIX_BY_ROLL[mix(index, 9) % PREFIX_BY_ROLL.length] as number;
  return `${quad((scatter(index) >>> (32 - bits)) * 2 ** (32 - bits))}/${bits}`;
}

const quad = (address: number): string =>
  `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;

export function indicatorOf(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(`'${text}' is no indicator: ${parsed.reason}`);
  return parsed.indicator;
}

/** Source numbers from 0, ascending: 60 % one, 23 % two, 10 % three, 5 % four, 2 % five. */
function sourcesOf(index: number): readonly number[] {
  const roll = mix(index, 10) % 100;
  const count = roll < 60 ? 1 : roll < 83 ? 2 : roll < 93 ? 3 : roll < 98 ? 4 : 5;
  const first = mix(index, 11) % SOURCES;
  return Array.from({ length: count }, (_, i) => (first + i * 7) % SOURCES).sort((a, b) => a - b);
}

export type LoadReport = { readonly indicators: number; readonly listings: number };

/** Copies straight into the tables and builds the indexes afterwards: only for a database that nothing else uses. */
export async function loadGeneratedCorpus(
  deps: { readonly system: Postgres; readonly clock: Clock; readonly databaseUrl: string },
  size: number,
): Promise<LoadReport> {
  const numbers: number[] = [];
  for (let i = 0; i < SOURCES; i += 1) {
    const settings = {
      name: `Generated list ${i}`,
      category: pick(['c2', 'phishing', 'malware', 'spam'], i),
    };
    numbers.push((await registerSource(deps, `gen-${String(i).padStart(2, '0')}`, settings)).number);
  }
  const seen = new Set<string>();
  const entries = function* () {
    for (let index = 0; index < size; index += 1)
      if (kindOf(index) !== 'cidr' || !seen.has(textOf(index))) {
        if (kindOf(index) === 'cidr') seen.add(textOf(index));
        yield index;
      }
  };
  const indexes = Uint32Array.from(entries());
  const owner = new pg.Client({ connectionString: deps.databaseUrl });
  await owner.connect();
  try {
    await owner.query(`alter table indicator drop constraint indicator_pkey;
      alter table listing drop constraint listing_pkey; drop index listing_source`);
    await copyText(owner, 'copy indicator (key, value) from stdin', indicatorLines(indexes));
    const listed =
      'copy listing (key, source_number, listed_from, first_seen, last_seen, confidence) from stdin';
    await copyText(owner, listed, listingLines(indexes, numbers));
    await owner.query(`set maintenance_work_mem = '512MB';
      alter table indicator add constraint indicator_pkey primary key (key);
      alter table listing add constraint listing_pkey primary key (key, source_number);
      create index listing_source on listing (source_number);
      analyze indicator; analyze listing`);
    await owner.query(
      `update source set data_at = to_timestamp(${DATA_AT_S}), last_fetch_at = to_timestamp(${DATA_AT_S}),
              entries = (select count(*) from listing where source_number = number)`,
    );
    const { rows } = await owner.query<LoadReport>(
      `select (select count(*)::int from indicator) as indicators, (select count(*)::int from listing) as listings`,
    );
    return rows[0] ?? { indicators: 0, listings: 0 };
  } finally {
    await owner.end();
  }
}

const copyText = (client: pg.Client, statement: string, chunks: Iterable<string>): Promise<void> =>
  pipeline(Readable.from(chunks), client.query(copyFrom(statement)));

const LINES_PER_CHUNK = 2_000;

function* indicatorLines(indexes: Uint32Array): Generator<string> {
  const keys = createKeyWriter();
  let chunk = '';
  for (const [at, index] of indexes.entries()) {
    const indicator = indicatorOf(textOf(index));
    chunk += `\\\\x${Buffer.from(keys.of(indicator)).toString('hex')}\t${indicator.value}\n`;
    if (at % LINES_PER_CHUNK === 0) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}

/** Two thirds have the source's own last sighting, one third a confidence. */
function* listingLines(indexes: Uint32Array, numbers: readonly number[]): Generator<string> {
  const keys = createKeyWriter();
  const dates = Array.from({ length: 365 }, (_, day) =>
    new Date((DATA_AT_S - day * DAY_S) * 1_000).toISOString(),
  );
  const listedFrom = dates[0];
  let chunk = '';
  for (const [at, index] of indexes.entries()) {
    const key = Buffer.from(keys.of(indicatorOf(textOf(index)))).toString('hex');
    for (const source of sourcesOf(index)) {
      const roll = mix(index, 20 + source);
      const firstSeen = pick(dates, roll);
      const lastSeen = roll % 3 === 0 ? '\\N' : pick(dates, (roll >>> 8) % 30);
      const confidence = roll % 3 === 1 ? String(roll % 101) : '\\N';
      chunk += `\\\\x${key}\t${numbers[source]}\t${listedFrom}\t${firstSeen}\t${lastSeen}\t${confidence}\n`;
    }
    if (at % LINES_PER_CHUNK === 0) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}
