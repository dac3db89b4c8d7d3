import { cpeText, parseCpe } from './cpe.ts';
import type { CveSource, ToldCve } from './told.ts';

export type ProductName = { readonly vendor: string; readonly product: string };

/** Two spellings are one name when they differ in capitals, blanks and underscores only. */
export const nameKey = (name: string): string =>
  IS_PLAIN.test(name)
    ? name
    : name
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[\s_]+/g, ' ')
        .trim();

/** Fast path: a name of this form is its own key. */
const IS_PLAIN = /^[a-z0-9.-]+(?: [a-z0-9.-]+)*$/;

/** The key of a product: vendor and product, joined by a line break because no name has one. */
export const productKey = ({ vendor, product }: ProductName): string =>
  `${nameKey(vendor)}\n${nameKey(product)}`;

/** The names in a CPE; null if it stands for every vendor or every product. */
export function productOfCpe(text: string): ProductName | null {
  const cpe = parseCpe(text);
  const vendor = cpe === null ? null : cpeText(cpe.vendor);
  const product = cpe === null ? null : cpeText(cpe.product);
  return vendor === null || product === null ? null : { vendor, product };
}

/** The CPEs that a row calls vulnerable; a CPE that is only the environment of a flaw is left out. */
export const vulnerableCpes = (told: ToldCve): readonly string[] => [
  ...told.configurations.flatMap(({ nodes }) =>
    nodes.flatMap(({ matches }) =>
      matches.flatMap(({ vulnerable, criteria }) => (vulnerable ? [criteria] : [])),
    ),
  ),
  ...told.affected.flatMap(({ cpes }) => cpes),
];

export function cpeNames(told: ToldCve): readonly ProductName[] {
  const known = NAMES_OF.get(told);
  if (known !== undefined) return known;
  const names = distinctProducts(vulnerableCpes(told).flatMap((cpe) => productOfCpe(cpe) ?? []));
  NAMES_OF.set(told, names);
  return names;
}

/** Cached, because a merge reads the names of a row four times and some rows have a thousand CPEs. */
const NAMES_OF = new WeakMap<ToldCve, readonly ProductName[]>();

/** Vendor and product of `affected` entries, as a CNA or an ADP writes them. */
export const statedNames = (told: ToldCve): readonly ProductName[] =>
  distinctProducts(
    told.affected.flatMap(({ vendor, product }) =>
      vendor === null || product === null ? [] : [{ vendor, product }],
    ),
  );

export function distinctProducts(names: readonly ProductName[]): readonly ProductName[] {
  const byKey = new Map<string, ProductName>();
  for (const name of names) {
    const key = productKey(name);
    if (!byKey.has(key)) byKey.set(key, name);
  }
  return [...byKey.values()];
}

/** Evidence for a link: a record in which the CNA names exactly one product and the CPEs of one source exactly one. */
export type LinkVote = { readonly source: CveSource; readonly cna: string; readonly cpe: string };

/** The link votes of one CVE; `rows` must be all its rows. */
export function linkVotes(rows: readonly ToldCve[]): readonly LinkVote[] {
  const cna = distinctProducts(rows.filter(({ source }) => source === 'cna').flatMap(statedNames)).map(
    productKey,
  );
  const [only] = cna;
  if (only === undefined || cna.length !== 1) return [];
  return rows.flatMap((row) => {
    const cpes = cpeNames(row).map(productKey);
    const [cpe] = cpes;
    return cpe === undefined || cpes.length !== 1 ? [] : [{ source: row.source, cna: only, cpe }];
  });
}

/** Other names of the same product, by product key. */
export type ProductLinks = ReadonlyMap<string, readonly string[]>;

export const NO_LINKS: ProductLinks = new Map();

/**
 * A CNA's name and a CPE's name are one product if, within one source of CPEs, every vote for either name is for the
 * other. A name that is linked to two others would merge different products of one vendor, so it is not linked.
 */
export function settleLinks(votes: Iterable<LinkVote>): ProductLinks {
  const cpesOf = new Map<string, Set<string>>();
  const cnasOf = new Map<string, Set<string>>();
  for (const { source, cna, cpe } of votes) {
    // A CPE that has the CNA's own name needs no link and is no evidence about other names.
    if (cna === cpe) continue;
    add(cpesOf, `${source}\n${cna}`, cpe);
    add(cnasOf, `${source}\n${cpe}`, cna);
  }
  const links = new Map<string, Set<string>>();
  for (const [key, cpes] of cpesOf) {
    const [cpe] = cpes;
    const source = key.slice(0, key.indexOf('\n'));
    const cna = key.slice(key.indexOf('\n') + 1);
    if (cpe === undefined || cpes.size !== 1 || cnasOf.get(`${source}\n${cpe}`)?.size !== 1) continue;
    add(links, cna, cpe);
    add(links, cpe, cna);
  }
  return new Map([...links].map(([name, others]) => [name, [...others]]));
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}
