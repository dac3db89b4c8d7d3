import { z } from 'zod';
import { type Cidr4, type Cidr6, type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { ProviderFailure } from '../provider.ts';

/** IANA's files have about 600 services and 1,200 entries. */
const SERVICES_MAX = 5_000;
const ENTRIES_MAX = 5_000;
const ALL_ENTRIES_MAX = 20_000;
const URLS_MAX = 10;
const LABELS = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** `[[entry, …], [url, …]]` of RFC 9224, without any deviation. */
const BootstrapFile = z.object({
  version: z.literal('1.0'),
  services: z
    .array(
      z.tuple([
        z.array(z.string().max(255)).max(ENTRIES_MAX),
        z.array(z.string().max(2_048)).min(1).max(URLS_MAX),
      ]),
    )
    .min(1)
    .max(SERVICES_MAX),
});

export type DomainServices = ReadonlyMap<string, URL | null>;
export type RangeServices = readonly { readonly range: Cidr4 | Cidr6; readonly base: URL | null }[];

/** A malformed file is refused as a whole: yesterday's complete file is better than part of today's. */
function readServices(text: string, schemes: readonly string[]): [entry: string, base: URL | null][] {
  const parsed = BootstrapFile.safeParse(asJson(text));
  if (!parsed.success) throw unreadable(parsed.error);
  const rows = parsed.data.services.flatMap(([entries, urls]) => {
    const base = chooseBase(urls, schemes);
    return entries.map((entry): [string, URL | null] => [entry.toLowerCase(), base]);
  });
  if (rows.length === 0 || rows.length > ALL_ENTRIES_MAX) throw unreadable();
  return rows;
}

export function readDomainServices(text: string, schemes: readonly string[]): DomainServices {
  const rows = readServices(text, schemes);
  if (rows.some(([entry]) => !LABELS.test(entry))) throw unreadable();
  return new Map(rows);
}

export function readRangeServices(text: string, schemes: readonly string[]): RangeServices {
  return readServices(text, schemes)
    .map(([entry, base]) => {
      const parsed = parseIndicator(entry);
      if (!parsed.ok || parsed.indicator.kind !== 'cidr') throw unreadable();
      return { range: parsed.indicator, base };
    })
    .sort((a, b) => b.range.bits - a.range.bits);
}

/** The longest run of labels at the end wins (RFC 9224 4). Undefined: no registry of that name has RDAP. */
export function domainServiceOf(services: DomainServices, name: string): URL | null | undefined {
  for (let from = 0; ; ) {
    const known = services.get(name.slice(from));
    if (known !== undefined) return known;
    const dot = name.indexOf('.', from);
    if (dot === -1) return undefined;
    from = dot + 1;
  }
}

/** The longest prefix wins (RFC 9224 5); entries are sorted longest first. */
export const rangeServiceOf = (services: RangeServices, ip: Ip): URL | null | undefined =>
  services.find(({ range }) => holds(range, ip))?.base;

function holds(range: Cidr4 | Cidr6, ip: Ip): boolean {
  if (range.version === 4) {
    if (ip.version !== 4) return false;
    return range.bits === 0 || (range.address ^ ip.address) >>> (32 - range.bits) === 0;
  }
  if (ip.version !== 6) return false;
  for (let i = 0, bits = range.bits; bits > 0; i += 1, bits -= 8) {
    const different = (range.bytes[i] ?? 0) ^ (ip.bytes[i] ?? 0);
    if (different >>> Math.max(0, 8 - bits) !== 0) return false;
  }
  return true;
}

function chooseBase(urls: readonly string[], schemes: readonly string[]): URL | null {
  const bases = urls.flatMap((text) => {
    const url = URL.parse(text.endsWith('/') ? text : `${text}/`);
    return url === null || url.username !== '' || url.search !== '' ? [] : [url];
  });
  for (const scheme of schemes) {
    const base = bases.find(({ protocol }) => protocol === `${scheme}:`);
    if (base !== undefined) return base;
  }
  return null;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw unreadable(error);
  }
}

const unreadable = (cause?: unknown): ProviderFailure =>
  new ProviderFailure('upstream', 'The bootstrap file of RDAP is not readable.', cause);
