import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NOT_IPV4, parseIndicator, readIpv4 } from '../../server/src/domain/indicator/index.ts';
import {
  BAD_MAX_A_SOURCE,
  CROWDED_SYSTEM_SHARE,
  type Crowding,
  crowdingOf,
  GOOD_MAX,
  indexAddresses,
  type ListedAddresses,
  NameSample,
  type NameTable,
  namePartsOf,
  nameSignalOf,
  neighboursOf,
  type Trained,
  trainNames,
} from '../../server/src/domain/signals/index.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { type Day, dayOf, linesOf, readHistory } from './histories.ts';

/**
 * Time-forward: trains on what lists held on a day and asks about what they first named in the 30 days after it. The
 * histories and the visited hosts are for evaluation only; no product data comes from them.
 */
export const LEAD_DAYS = 30;

export type Share = { asked: number; flagged: number };
export type NameFigures = {
  readonly trained: Omit<Trained, 'table'>;
  readonly threshold: NameTable['threshold'];
  readonly lead: Readonly<Record<string, Share>>;
  readonly visited: { readonly own: Share; readonly tenant: Share };
};
export type AddressFigures = {
  readonly listed: number;
  readonly lead: Readonly<Record<string, Readonly<Record<Crowding | 'none', number>>>>;
  readonly routed: Readonly<Record<Crowding | 'none', number>>;
};

const share = (): Share => ({ asked: 0, flagged: 0 });
const GOOD_LISTS = [
  'allowlists/cloudflare-top100k/list.json.gz',
  'allowlists/cloudflare-top10k/list.json.gz',
  'allowlists/tranco10k/list.json',
  'allowlists/majestic_million/list.json.gz',
  'allowlists/moz-top500/list.json',
  'allowlists/university_domains/list.json.gz',
  'allowlists/bank-website/list.json',
  'warninglists/dynamic-dns/list.json.gz',
  'warninglists/public-dns-hostname/list.json.gz',
];
/** Phishing lists of the data set that are older than every measured day. */
const BAD_FILES = [
  'feeds/phishing-database/phishing-domains-ACTIVE.txt.gz',
  'feeds/destroylist/list.json.gz',
  'feeds/polkadot-phishing/all.json.gz',
];
const BAD_HISTORIES = ['phishtank-hosts'];
const NAME_LEADS = ['phishtank-hosts', 'c2intelfeeds-domains', 'maltrail-trails'];

const hostOf = (text: string): string | null => {
  const parsed = parseIndicator(text);
  return parsed.ok && parsed.indicator.kind === 'domain' ? parsed.indicator.value : null;
};

function warningList(path: string): readonly string[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return (JSON.parse(text) as { list: readonly string[] }).list;
}

/** Every host name of a text, whatever its format. */
function* namesIn(text: string): Generator<string> {
  for (const [found] of text.matchAll(/[a-z0-9_-]+(?:\.[a-z0-9_-]+)+/g)) {
    const host = hostOf(found);
    if (host !== null) yield host;
  }
}

export async function measureNames(data: string, at: Day): Promise<NameFigures> {
  const good = new NameSample(GOOD_MAX);
  const samples: NameSample[] = [];
  const history = join(data, 'history');
  for (const list of BAD_HISTORIES) {
    const bad = new NameSample(BAD_MAX_A_SOURCE);
    samples.push(bad);
    for await (const { value, isListed } of readHistory(history, list, at)) {
      const host = isListed ? hostOf(value) : null;
      if (host !== null) bad.add(host);
    }
  }
  for (const path of BAD_FILES) {
    const bad = new NameSample(BAD_MAX_A_SOURCE);
    samples.push(bad);
    for (const name of namesIn(gunzipSync(readFileSync(join(data, path))).toString('utf8'))) bad.add(name);
  }
  for (const path of GOOD_LISTS)
    for (const value of warningList(join(data, path))) {
      const host = hostOf(value);
      if (host !== null) good.add(host);
    }
  const { table, ...trained } = trainNames(samples, good);
  const lead: Record<string, Share> = {};
  for (const list of NAME_LEADS) {
    const found = share();
    for await (const { value, firstDay } of readHistory(history, list, at)) {
      if (firstDay <= at || firstDay > at + LEAD_DAYS) continue;
      const host = hostOf(value);
      if (host === null) continue;
      found.asked += 1;
      if (nameSignalOf(table, namePartsOf(host)) !== null) found.flagged += 1;
    }
    lead[list] = found;
  }
  return { trained, threshold: table.threshold, lead, visited: await askVisited(data, table) };
}

async function askVisited(data: string, table: NameTable): Promise<NameFigures['visited']> {
  const visited = { own: share(), tenant: share() };
  for await (const line of linesOf(join(data, 'visited/crux-hosts-sample.tsv.gz'))) {
    const host = hostOf(line.slice(0, line.indexOf('\t')));
    const parts = host === null ? null : namePartsOf(host);
    if (host === null || parts === null) continue;
    const of = parts.isTenant ? visited.tenant : visited.own;
    of.asked += 1;
    if (nameSignalOf(table, parts) !== null) of.flagged += 1;
  }
  return visited;
}

const ADDRESS_LISTS = [
  'threatfox-ips',
  'c2intelfeeds-ips',
  'c2intelfeeds-unverified-ips',
  'c2-tracker-ips',
  'data-shield-ips',
  'maltrail-trails',
];
const ADDRESS_LEADS = ['threatfox-ips', 'c2intelfeeds-ips', 'data-shield-ips'];
const ROUTED = 1_000_000;

export async function measureAddresses(data: string, at: Day): Promise<AddressFigures> {
  const history = join(data, 'history');
  const found: number[] = [];
  const fresh = new Map<string, number[]>();
  for (const list of ADDRESS_LISTS)
    for await (const { value, firstDay, isListed } of readHistory(history, list, at)) {
      const address = addressOf(value);
      if (address === NOT_IPV4) continue;
      if (isListed) found.push(address);
      else if (firstDay > at && firstDay <= at + LEAD_DAYS) {
        const news = fresh.get(list) ?? [];
        fresh.set(list, news);
        news.push(address);
      }
    }
  const listed = indexAddresses(Uint32Array.from(new Set(found)).sort());
  const systems = await readSystems(data);
  const crowded = crowdedSystems(listed, systems);
  const classOf = (address: number): Crowding | 'none' =>
    crowdingOf(neighboursOf(listed, address), () => crowded.has(systems.asnOf(address))) ?? 'none';
  const lead: Record<string, Record<Crowding | 'none', number>> = {};
  for (const list of ADDRESS_LEADS) lead[list] = countClasses(fresh.get(list) ?? [], classOf);
  const next = randomNumbers(7);
  const isListed = new Set(listed.addresses);
  const routed: number[] = [];
  while (routed.length < ROUTED) {
    const address = next() >>> 0;
    if (systems.asnOf(address) > 0 && !isListed.has(address)) routed.push(address);
  }
  return { listed: listed.addresses.length, lead, routed: countClasses(routed, classOf) };
}

const addressOf = (value: string): number => {
  const colon = value.indexOf(':');
  return readIpv4(colon < 0 ? value : value.slice(0, colon));
};

function countClasses(
  addresses: readonly number[],
  classOf: (address: number) => Crowding | 'none',
): Record<Crowding | 'none', number> {
  const counts = { none: 0, some: 0, dense: 0, veryDense: 0 };
  for (const address of addresses) counts[classOf(address)] += 1;
  return counts;
}

type Systems = {
  readonly asnOf: (address: number) => number;
  readonly sizes: ReadonlyMap<number, number>;
};

async function readSystems(data: string): Promise<Systems> {
  const [starts, ends, asns]: [number[], number[], number[]] = [[], [], []];
  const sizes = new Map<number, number>();
  for await (const line of linesOf(join(data, 'geo/asn/asn-ipv4.csv.gz'))) {
    const [first = '', last = '', asnText = ''] = line.split(',', 3);
    const [start, end, asn] = [readIpv4(first), readIpv4(last), Number(asnText)];
    starts.push(start);
    ends.push(end);
    asns.push(asn);
    sizes.set(asn, (sizes.get(asn) ?? 0) + end - start + 1);
  }
  const asnOf = (address: number): number => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= address) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (ends[low - 1] as number) >= address ? (asns[low - 1] as number) : 0;
  };
  return { asnOf, sizes };
}

function crowdedSystems({ addresses }: ListedAddresses, { asnOf, sizes }: Systems): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const address of addresses) {
    const asn = asnOf(address);
    if (asn > 0) counts.set(asn, (counts.get(asn) ?? 0) + 1);
  }
  return new Set(
    [...counts]
      .filter(([asn, count]) => count / (sizes.get(asn) ?? count) >= CROWDED_SYSTEM_SHARE)
      .map(([asn]) => asn),
  );
}

export const MEASURED_DAYS = ['2026-04-22', '2026-05-22', '2026-06-22', '2026-07-23'] as const;

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(3)} %`;

/** One line for each figure, so that runs can be compared. */
export function signalLines(day: string, names: NameFigures, addresses: AddressFigures): readonly string[] {
  const all = (of: Readonly<Record<Crowding | 'none', number>>) =>
    of.none + of.some + of.dense + of.veryDense;
  return [
    `${day} name trained bad ${names.trained.bad} good ${names.trained.good} aside ${names.trained.heldAside.own} own ${names.trained.heldAside.tenant} tenants; thresholds ${names.threshold.own} ${names.threshold.tenant}`,
    ...Object.entries(names.lead).map(
      ([list, { asked, flagged }]) =>
        `${day} name lead recall ${list} ${percent(flagged, asked)} of ${asked}`,
    ),
    ...Object.entries(names.visited).map(
      ([what, { asked, flagged }]) => `${day} name visited ${what} ${percent(flagged, asked)} of ${asked}`,
    ),
    `${day} neighbourhood listed ${addresses.listed}`,
    ...Object.entries(addresses.lead).map(
      ([list, of]) =>
        `${day} neighbourhood lead recall ${list} very dense ${percent(of.veryDense, all(of))} dense ${percent(of.dense, all(of))} some ${percent(of.some, all(of))} of ${all(of)}`,
    ),
    `${day} neighbourhood routed very dense ${percent(addresses.routed.veryDense, ROUTED)} dense ${percent(addresses.routed.dense, ROUTED)} some ${percent(addresses.routed.some, ROUTED)} of ${ROUTED}`,
  ];
}

/** npm run bench:signals -- [DAY...] */
if (process.argv[1] === import.meta.filename) {
  const data = join(import.meta.dirname, '../../../shared/data');
  for (const day of process.argv.length > 2 ? process.argv.slice(2) : MEASURED_DAYS) {
    const startMs = performance.now();
    const names = await measureNames(data, dayOf(day));
    const namesMs = performance.now();
    const addresses = await measureAddresses(data, dayOf(day));
    for (const line of signalLines(day, names, addresses)) process.stdout.write(`${line}\n`);
    process.stdout.write(
      `${day} seconds names ${((namesMs - startMs) / 1000).toFixed(1)} addresses ${((performance.now() - namesMs) / 1000).toFixed(1)}\n`,
    );
  }
}
