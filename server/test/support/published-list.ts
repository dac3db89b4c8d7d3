import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { makeTar } from './archives.ts';

type Kind = CatalogueRow['entityTypes'][number];
type Csv = Extract<CatalogueRow['format'], { kind: 'csv' }>;

/** For rows with several URLs of different kinds, the kind of each file, as their publishers divide them. */
const KINDS_OF_FILES: ReadonlyMap<string, readonly Kind[]> = new Map([
  ['phishing-database', ['domain', 'ip']],
  ['botvrij', ['domain', 'domain', 'url', 'ip', 'hash', 'hash', 'hash']],
]);

/**
 * The files of a source as its publisher serves them, one for each URL of the row: `count` invented entries of the kinds
 * that it lists, in its own format. Each source has entries of its own.
 */
export function publishedList(row: CatalogueRow, count: number): readonly Buffer[] {
  const perFile = Math.ceil(count / row.urls.length);
  return row.urls.map((_, file) => {
    const kind = KINDS_OF_FILES.get(row.id)?.[file] ?? row.entityTypes[0] ?? 'ip';
    const entries = Array.from(
      { length: perFile },
      (_, nth) => new InventedEntry(row, kind, file * perFile + nth),
    );
    return Buffer.from(fileOf(row, entries));
  });
}

class InventedEntry {
  readonly #seed: Buffer;
  readonly kind: Kind;

  constructor({ id }: Pick<CatalogueRow, 'id'>, kind: Kind, nth: number) {
    this.#seed = createHash('sha256').update(`${id} ${kind} ${nth}`).digest();
    this.kind = kind;
  }

  get ip(): string {
    const [, b = 0, c = 0, d = 0] = this.#seed;
    return `45.${64 + (b & 63)}.${c}.${d}`;
  }
  get domain(): string {
    return `${this.#seed.toString('hex').slice(0, 14)}.top`;
  }
  digest(hexChars: number): string {
    return this.#seed.toString('hex').slice(0, hexChars);
  }
  get text(): string {
    switch (this.kind) {
      case 'domain':
        return this.domain;
      case 'url':
        return `http://${this.domain}/load.php`;
      case 'hash':
        return this.digest(64);
      case 'asn':
        return String(200_000 + this.#seed.readUInt16BE());
      case 'crypto':
        return `0x${this.digest(40)}`;
      default:
        return this.ip;
    }
  }
  get range(): string {
    return `45.${64 + ((this.#seed[1] ?? 0) & 63)}.${this.#seed[2]}.0/24`;
  }
  get range6(): string {
    return `2a10:${this.digest(4)}::/32`;
  }
}

function fileOf(row: CatalogueRow, entries: readonly InventedEntry[]): string | Buffer {
  const { format } = row;
  const lines = (lineOf: (entry: InventedEntry) => string): string => `${entries.map(lineOf).join('\n')}\n`;
  switch (format.kind) {
    case 'plain':
      return `# ${row.name}\n${lines(({ text }) => text)}`;
    case 'hosts':
      return `# ${row.name}\n${lines(({ domain }) => `0.0.0.0 ${domain}`)}`;
    case 'csv':
      return csvOf(format, entries);
    case 'json':
      return jsonOf(format.each[0] ?? '', entries);
    case 'ndjson':
      return `${lines((entry) => JSON.stringify(dropRow(row, entry)))}{"type":"metadata","timestamp":1787400000}\n`;
    case 'hash-comment':
      return lines((entry) => `${entry.digest(64)};a report`);
    case 'sectioned':
      return `# A campaign\n${lines(({ text }) => text)}`;
    case 'stix':
      return JSON.stringify({ type: 'bundle', objects: entries.map(indicatorOf) });
    case 'misp-warninglist':
      return JSON.stringify({
        list: entries.map(({ text }) => text),
        name: row.name,
        type: 'string',
        version: 20_260_820,
      });
    case 'eset':
      return archive(
        (
          [
            ['md5', 32],
            ['sha1', 40],
            ['sha256', 64],
          ] as const
        ).map(([name, chars]) => ({
          path: `malware-ioc-master/campaign/samples.${name}`,
          content: lines((entry) => entry.digest(chars)),
        })),
      );
    case 'markdown-digests':
      return archive([
        {
          path: 'APT_Digital_Weapon-master/group/group_hash.md',
          content: `| hash | family |\n|---|---|\n${lines((entry) => `| ${entry.digest(32)} | a |`)}`,
        },
      ]);
    default:
      throw new Error(`No publisher serves '${format.kind}' yet.`);
  }
}

const archive = (members: Parameters<typeof makeTar>[0]): Buffer => gzipSync(makeTar(members));

function csvOf(format: Csv, entries: readonly InventedEntry[]): string {
  const named = new Map<string | number, (entry: InventedEntry) => string>();
  for (const [nth, column] of format.values.entries())
    named.set(column, (entry) => cellOf(entry, format, nth));
  for (const column of [format.firstSeen, format.lastSeen])
    if (column !== undefined) named.set(column, () => '2026-08-22 06:00:00');
  if (format.family !== undefined) named.set(format.family, () => 'Emotet');
  if (format.only !== undefined) named.set(format.only.column, () => format.only?.values[0] ?? '');
  const names = [...named.keys()];
  const isNamed = names.some((name) => typeof name === 'string');
  const width = isNamed ? names.length : Math.max(...names.map(Number)) + 1;
  const columns = Array.from({ length: width }, (_, at) => (isNamed ? (names[at] ?? at) : at));
  const delimiter = format.delimiter ?? ',';
  const rows = entries.map((entry) =>
    columns.map((column) => `"${named.get(column)?.(entry) ?? 'x'}"`).join(delimiter),
  );
  const head = columns.map((column) => `"${column}"`).join(delimiter);
  return `${format.header === 'first' ? head : `# ${head}`}\n${rows.join('\n')}\n`;
}

/** The columns of one file hold its digests; another table has its entry in the first column of values. */
const cellOf = (entry: InventedEntry, format: Csv, nth: number): string =>
  format.siblings === true ? entry.digest([64, 32, 40][nth] ?? 64) : nth === 0 ? entry.text : entry.ip;

function jsonOf(each: string, entries: readonly InventedEntry[]): string {
  const texts = entries.map(({ text }) => text);
  const key = /^(\w+)\[\*\]$/.exec(each)?.[1];
  return JSON.stringify(key === undefined ? texts : { [key]: texts });
}

const dropRow = ({ entityTypes, id }: CatalogueRow, entry: InventedEntry): Record<string, unknown> => {
  if (entityTypes[0] === 'asn') return { asn: Number(entry.text), rir: 'ripencc' };
  return { cidr: id.endsWith('v6') ? entry.range6 : entry.range, sblid: 'SBL1' };
};

const indicatorOf = (entry: InventedEntry) => ({
  type: 'indicator',
  pattern_type: 'stix',
  created: '2026-08-22T06:00:00.000Z',
  pattern:
    entry.kind === 'domain' ? `[domain-name:value = '${entry.domain}']` : `[ipv4-addr:value = '${entry.ip}']`,
});
