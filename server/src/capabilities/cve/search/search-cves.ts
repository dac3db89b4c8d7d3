import { nameKey, productKey } from '#domain/cve/index.ts';
import { badRequest } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { CveItem, CveQuery, Names, TopProducts } from '../contract.ts';
import { exploitationAt, exploitationNumber, severityAt, severityNumber } from '../fact.ts';
import * as store from './store.ts';
import { writeCve } from './write-cve.ts';

const WORDS_MAX = 12;

/** The answer for one CVE as JSON text: its record with today's EPSS; null where it is unknown. */
export async function describeCve(db: Db, id: string): Promise<string | null> {
  const found = await store.findCve(db, id);
  return found === undefined ? null : writeCve(found);
}

export type FoundCves = { readonly cves: CveItem[]; readonly nextCursor: string | null };

export async function searchCves(db: Db, query: CveQuery): Promise<FoundCves> {
  const { limit } = query;
  const id = idOf(query.q);
  const words = query.q === undefined || id !== undefined ? undefined : wordsOf(query.q);
  if (words === '') return { cves: [], nextCursor: null };
  const products = await productsOf(db, query);
  const rows = await store.searchCves(db, {
    ...(id === undefined ? {} : { id }),
    ...(words === undefined ? {} : { words }),
    ...(products === null ? {} : { products }),
    ...(query.severity === undefined ? {} : { severity: severityNumber(query.severity) }),
    ...(query.kev === undefined ? {} : { isKev: query.kev }),
    ...(query.exploit === undefined ? {} : { exploitation: exploitationNumber(query.exploit) ?? 0 }),
    ...(query.minEpss === undefined || query.minEpss === 0 ? {} : { minEpss: query.minEpss }),
    ...(query.cwe === undefined ? {} : { cwe: cweOf(query.cwe) }),
    ...(query.from === undefined ? {} : { fromMs: Date.parse(query.from) }),
    ...(query.to === undefined ? {} : { beforeMs: endOf(query.to) }),
    ...(query.cursor === undefined ? {} : { after: readCursor(query.cursor) }),
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    cves: page.map(presentItem),
    nextCursor: rows.length > limit && last !== undefined ? writeCursor(last) : null,
  };
}

/** The exclusive end of a period that is given by its last day or its last moment. */
const endOf = (text: string): number => Date.parse(text) + (text.length === 10 ? DAY_MS : 1);

const cweOf = (text: string): string => `CWE-${text.toUpperCase().replace('CWE-', '')}`;

/** A search text that is a CVE id finds that CVE alone, not the records that mention it. */
function idOf(text: string | undefined): string | undefined {
  const id = text?.trim().toUpperCase();
  return id !== undefined && /^CVE-\d{4}-\d{4,19}$/.test(id) ? id : undefined;
}

/** All words have to occur; the last one may be the beginning of a word. Signs of the query language are left out. */
function wordsOf(text: string): string {
  const words = text
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}.]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, WORDS_MAX);
  return words.map((word, at) => `'${word}'${at === words.length - 1 ? ':*' : ''}`).join(' & ');
}

async function productsOf(db: Db, { vendor, product }: CveQuery) {
  if (vendor === undefined && product === undefined) return null;
  const asked = {
    vendor: vendor === undefined ? null : nameKey(vendor),
    product: product === undefined ? null : nameKey(product),
  };
  if (vendor === undefined || product === undefined) return [asked];
  const aliases = await store.readAliases(db, productKey({ vendor, product }));
  return [asked, ...aliases.map(pairOf)];
}

function pairOf(key: string) {
  const [vendor = '', product = ''] = key.split('\n');
  return { vendor, product };
}

const writeCursor = ({ publishedMs, id }: store.CvePosition): string =>
  Buffer.from(`${publishedMs ?? ''} ${id}`).toString('base64url');

function readCursor(text: string): store.CvePosition {
  const parts = /^(-?\d{0,16}) (CVE-\d{4}-\d{4,19})$/.exec(Buffer.from(text, 'base64url').toString());
  if (parts === null)
    throw badRequest('This cursor is not one of ours. Start without it.', [
      { path: 'cursor', message: 'Not a cursor.' },
    ]);
  return { publishedMs: parts[1] === '' ? null : Number(parts[1]), id: parts[2] ?? '' };
}

export const presentItem = (row: store.ItemRow): CveItem => ({
  id: row.id,
  title: row.title,
  severity: severityAt(row.severity),
  cvssScore: row.score,
  epssScore: row.epss,
  isKev: row.isKev,
  exploitation: exploitationAt(row.exploitation),
  published: isoOf(row.publishedMs),
  lastModified: isoOf(row.modifiedMs),
  vendors: [...row.vendors],
  products: [...row.products],
});

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export type RecentGiven = {
  readonly limit: number;
  readonly severity?: CveQuery['severity'];
  readonly days?: number | undefined;
};

export async function listRecent(
  db: Db,
  { limit, severity, days }: RecentGiven,
  nowMs: number,
): Promise<CveItem[]> {
  const rows = await store.searchCves(db, {
    ...(severity === undefined ? {} : { severity: severityNumber(severity) }),
    ...(days === undefined ? {} : { fromMs: nowMs - days * DAY_MS }),
    beforeMs: nowMs + 1,
    limit,
  });
  return rows.map(presentItem);
}

/** A LIKE pattern for the text anywhere in a name, with `%` and `_` of the text escaped. */
export const likeOf = (text: string | undefined): string | null =>
  text === undefined ? null : `%${nameKey(text).replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

export type FoundNames = Pick<Names, 'items' | 'total'>;

export async function listVendors(
  db: Db,
  { q, limit }: { q?: string | undefined; limit: number },
): Promise<FoundNames> {
  const { items, total } = await store.listVendors(db, likeOf(q), limit);
  return { items: [...items], total };
}

export async function listProducts(
  db: Db,
  { q, vendor, limit }: { q?: string | undefined; vendor?: string | undefined; limit: number },
): Promise<FoundNames> {
  const given = { like: likeOf(q), vendor: vendor === undefined ? null : nameKey(vendor) };
  const { items, total } = await store.listProducts(db, given, limit);
  return { items: [...items], total };
}

export const listTopProducts = async (
  db: Db,
  { limit, days }: { limit: number; days: number },
  nowMs: number,
): Promise<TopProducts> => [...(await store.listTopProducts(db, nowMs - days * DAY_MS, limit))];
