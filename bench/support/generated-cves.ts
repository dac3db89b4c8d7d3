import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readSnapshotFile } from '../../server/src/capabilities/lists/index.ts';
import { openArchive } from './packed-archive.ts';
import { randomNumbers } from './random-numbers.ts';

/**
 * A catalogue of any size, resampled from the real records beside the project: each CVE is a real record under a new id and
 * date, half of them with a new product name, and a real CPE configuration with the product of that record. Exact versions are
 * added until there are as many ranges and CPE names as asked for. The same seed makes the same files.
 */
export type CveSize = { readonly cves: number; readonly ranges: number; readonly cpeNames: number };

export type GeneratedCves = {
  readonly list: string;
  readonly overrides: string;
  readonly kev: string;
  readonly ids: readonly string[];
  readonly ranges: number;
  readonly cpeNames: number;
};

const RECORDS = 'cve/vulnrichment/vulnrichment-2024-30xxx-up.tar.gz';
const OVERRIDES = 'cve/nvd-overrides/nvd-data-overrides.tar.gz';
const KEV = 'cve/kev/known_exploited_vulnerabilities.json.gz';
const CVE_ID = /CVE-\d{4}-\d{4,19}/;
const FIRST_YEAR = 2002;
const YEARS = 25;
const FIRST_NUMBER = 100_000;
const DAY_MS = 86_400_000;
const PRODUCT_VARIANTS = 12;
const VENDOR_VARIANTS = 6;
const ADDED_MAX = 200;

type Names = { readonly vendor: string; readonly product: string };
type Affected = { vendor?: string; product?: string; cpes?: string[]; versions?: unknown[] };
type CveDocument = {
  cveMetadata: { datePublished?: string; dateUpdated?: string };
  containers: { cna: { affected?: Affected[] }; adp?: { affected?: Affected[] }[] };
};
type CpeMatch = { vulnerable: boolean; criteria: string; versionEndExcluding?: string };
type Override = { cve?: { configurations?: { nodes?: { cpeMatch?: CpeMatch[] }[] }[] } };

export async function generateCves(
  data: string,
  folder: string,
  size: CveSize,
  seed = 21,
): Promise<GeneratedCves> {
  const records = await documentsOf(join(data, RECORDS));
  const overrides = await documentsOf(join(data, OVERRIDES));
  const files = {
    list: join(folder, 'cve-list.tar.zst'),
    overrides: join(folder, 'overrides.tar.zst'),
    kev: join(folder, 'kev.json'),
  };
  const [list, corrections] = [openArchive(files.list), openArchive(files.overrides)];
  const next = randomNumbers(seed);
  const pick = (texts: readonly string[]): string => texts[next() % texts.length] ?? '';
  const totals: Totals = { ranges: 0, names: new Set() };
  const ids: string[] = [];
  for (let at = 0; at < size.cves; at += 1) {
    const { id, publishedMs } = placeOf(at, size.cves, next);
    const record = withId(pick(records), id) as CveDocument;
    const names = rename(record, next, totals);
    record.cveMetadata.datePublished = new Date(publishedMs).toISOString();
    record.cveMetadata.dateUpdated = new Date(publishedMs + (next() % 90) * DAY_MS).toISOString();
    const override = withId(pick(overrides), id) as Override;
    const share = (at + 1) / size.cves;
    const wanted = { ranges: size.ranges * share, names: size.cpeNames * share };
    configure(override, names, next, totals, wanted);
    await list.add(`${id}.json`, JSON.stringify(record));
    await corrections.add(`${id}.json`, JSON.stringify(override));
    ids.push(id);
  }
  await Promise.all([list.end(), corrections.end()]);
  writeKev(data, files.kev, ids, next);
  return { ...files, ids, ranges: totals.ranges, cpeNames: totals.names.size };
}

type Totals = { ranges: number; readonly names: Set<string> };

async function documentsOf(path: string): Promise<readonly string[]> {
  const documents: string[] = [];
  let pieces: string[] = [];
  await readSnapshotFile(
    path,
    { bytesMax: 4 * 1024 ** 3, ratioMax: 1_000 },
    {
      member: (name) => {
        pieces = [];
        return /CVE-[^/]*\.json$/.test(name);
      },
      text: (piece) => void pieces.push(piece),
      memberEnd: () => {
        const text = pieces.join('');
        if (CVE_ID.test(text)) documents.push(text);
      },
    },
  );
  return documents;
}

/** More CVEs in later years, as in the real list; numbers are unique over all years. */
function placeOf(at: number, cves: number, next: () => number): { id: string; publishedMs: number } {
  const year = FIRST_YEAR + Math.floor(YEARS * Math.sqrt(at / cves));
  const publishedMs = Date.UTC(year, 0, 1) + (next() % 365) * DAY_MS + (next() % DAY_MS);
  return { id: `CVE-${year}-${FIRST_NUMBER + at}`, publishedMs };
}

function withId(text: string, id: string): unknown {
  const [known = ''] = CVE_ID.exec(/"(?:cveId|cve_id)"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? text) ?? [];
  return JSON.parse(text.replaceAll(known, id));
}

/** Gives about half of the records products of their own, and says which product the record is about. */
function rename(record: CveDocument, next: () => number, totals: Totals): Names | null {
  const product = next() % 2 === 0 ? 0 : 1 + (next() % PRODUCT_VARIANTS);
  const vendor = product === 0 || next() % 2 === 0 ? 0 : 1 + (next() % VENDOR_VARIANTS);
  const { cna, adp = [] } = record.containers;
  let first: Names | null = null;
  for (const entry of [cna, ...adp].flatMap(({ affected }) => affected ?? [])) {
    if (entry.vendor !== undefined) entry.vendor = variant(entry.vendor, vendor, ' ');
    if (entry.product !== undefined) entry.product = variant(entry.product, product, ' ');
    if (entry.cpes !== undefined)
      entry.cpes = entry.cpes.map((cpe) => {
        const parts = cpe.split(':');
        const named = {
          vendor: variant(parts[3] ?? '*', vendor, '_'),
          product: variant(parts[4] ?? '*', product, '_'),
        };
        return note(totals, cpeOf(named, parts));
      });
    totals.ranges += entry.versions?.length ?? 0;
    if (entry.vendor !== undefined && entry.product !== undefined)
      first ??= { vendor: slug(entry.vendor), product: slug(entry.product) };
  }
  return first;
}

const variant = (name: string, number: number, blank: string): string =>
  number === 0 || name === '*' || name === 'n/a' ? name : `${name}${blank}${number}`;

/** As a CPE spells a name: lower case, signs escaped. */
const slug = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_.-]/g, (sign) => `\\${sign}`)
    .slice(0, 100);

const cpeOf = ({ vendor, product }: Names, parts: readonly string[], version = parts[5] ?? '*'): string =>
  ['cpe', '2.3', parts[2] ?? 'a', vendor, product, version, ...parts.slice(6)].join(':');

function note({ names }: Totals, cpe: string): string {
  names.add(cpe);
  return cpe;
}

/** The real configuration about the product of the record, cut or filled up to the share of this CVE. */
function configure(
  override: Override,
  names: Names | null,
  next: () => number,
  totals: Totals,
  wanted: { readonly ranges: number; readonly names: number },
): void {
  const nodes = (override.cve?.configurations ?? []).flatMap((each) => each.nodes ?? []);
  let last: CpeMatch[] | undefined;
  for (const node of nodes) {
    const kept = Math.max(0, wanted.names - totals.names.size);
    const room = Math.max(1, Math.round(wanted.ranges - totals.ranges - kept));
    const matches = (node.cpeMatch ?? []).slice(0, room);
    node.cpeMatch = matches;
    totals.ranges += matches.length;
    for (const match of matches) {
      const parts = match.criteria.split(':');
      if (match.vulnerable && names !== null) match.criteria = cpeOf(names, parts);
      if (match.vulnerable) note(totals, match.criteria);
    }
    if (matches.some(({ vulnerable }) => vulnerable)) last = matches;
  }
  const [like] = last ?? [];
  if (last === undefined || like === undefined) return;
  const parts = like.criteria.split(':');
  const named = { vendor: parts[3] ?? '', product: parts[4] ?? '' };
  for (let added = 0; added < ADDED_MAX && totals.ranges < wanted.ranges; added += 1) {
    const version = `${next() % 30}.${next() % 40}.${next() % 1_000}`;
    const isExact = totals.names.size < wanted.names;
    last.push(
      isExact
        ? { vulnerable: true, criteria: note(totals, cpeOf(named, parts, version)) }
        : { vulnerable: true, criteria: like.criteria, versionEndExcluding: version },
    );
    totals.ranges += 1;
  }
}

function writeKev(data: string, path: string, ids: readonly string[], next: () => number): void {
  const kev = JSON.parse(gunzipSync(readFileSync(join(data, KEV))).toString('utf8')) as {
    vulnerabilities: { cveID: string }[];
  };
  const chosen = new Set<string>();
  const entries = Math.min(kev.vulnerabilities.length, Math.ceil(ids.length / 20));
  while (chosen.size < entries) chosen.add(ids[next() % ids.length] ?? '');
  const vulnerabilities = [...chosen].map((cveID, at) => ({ ...kev.vulnerabilities[at], cveID }));
  writeFileSync(path, JSON.stringify({ ...kev, count: entries, vulnerabilities }));
}
