import type { CatalogueRow } from './catalogue-row.ts';
import { isFree, isPrecise, type Precision, precisionOf } from './precision.ts';

/** What stands between the deployment and a source of the catalogue. */
export type Need = 'key' | 'license' | 'nothing';

export type Suggestion = {
  readonly sourceId: string;
  readonly needs: Need;
  /** The variable of the key that is missing. */
  readonly keyVariable: string | null;
  readonly license: string;
  /** Entries when the row was written. */
  readonly entries: number;
  readonly precision: Precision | null;
  /** The publisher verifies each entry itself (O60). */
  readonly isVerified: boolean;
  readonly sentence: string;
};

export type Deployment = {
  readonly hasKey: (variable: string) => boolean;
  /** The worker fetches the source by its interval. */
  readonly isScheduled: (sourceId: string) => boolean;
};

/**
 * The threat lists that a deployment could have and lacks, with what each would add: first those whose publisher verifies
 * each entry, then precise ones, those that were not measured, and the others; the largest first among equals.
 */
export function suggestSources(rows: readonly CatalogueRow[], deployment: Deployment): readonly Suggestion[] {
  return rows
    .flatMap((row) => {
      const needs = needOf(row, deployment);
      return needs === null ? [] : [suggestionOf(row, needs, deployment)];
    })
    .toSorted(
      (a, b) =>
        NEEDS.indexOf(a.needs) - NEEDS.indexOf(b.needs) ||
        placeOf(a) - placeOf(b) ||
        b.entries - a.entries ||
        a.sourceId.localeCompare(b.sourceId),
    );
}

const NEEDS: readonly Need[] = ['key', 'license', 'nothing'];

/** Null: the deployment has the source, or nothing suggests it. An aggregate adds nothing to the lists it repeats. */
function needOf(row: CatalogueRow, { hasKey, isScheduled }: Deployment): Need | null {
  if (row.threatClass !== 'threat' || row.adOnly === true || row.aggregate === true) return null;
  if (row.key !== undefined && !hasKey(row.key.env)) return 'key';
  if (isScheduled(row.id)) return null;
  if (row.licence.optIn === true) return 'license';
  return isFree(row) && row.isDefault ? 'nothing' : null;
}

function placeOf({ isVerified, precision }: Suggestion): number {
  if (isVerified) return 0;
  if (precision === null) return 2;
  return isPrecise(precision) ? 1 : 3;
}

function suggestionOf(row: CatalogueRow, needs: Need, { isScheduled }: Deployment): Suggestion {
  const { id, licence, key, entries = 0 } = row;
  const precision = precisionOf(row);
  const mustAccept = licence.optIn === true && !isScheduled(id);
  const facts = [
    `about ${rounded(entries)} ${contentOf(row)}`,
    precisionWords(row, precision),
    ...(row.scannerReason === undefined ? [] : ['its publisher verifies each entry']),
    ...(row.fpRisk === 'high' ? ['high risk of false positives'] : []),
  ];
  return {
    sourceId: id,
    needs,
    keyVariable: needs === 'key' ? (key?.env ?? null) : null,
    license: licence.name,
    entries,
    precision,
    isVerified: row.scannerReason !== undefined,
    sentence: `${id}: ${needWords(row, needs, mustAccept)}; ${facts.join(', ')}.`,
  };
}

function needWords({ key, licence }: CatalogueRow, needs: Need, mustAccept: boolean): string {
  const license = `its license accepted (${licence.name})`;
  if (needs === 'nothing') return 'free, and off here';
  if (needs === 'license') return `needs ${license}`;
  return `needs a free key (${key?.env})${mustAccept ? ` and ${license}` : ''}`;
}

const KIND_WORDS: Readonly<Record<CatalogueRow['entityTypes'][number], string>> = {
  ip: 'IP addresses',
  domain: 'domains',
  url: 'URLs',
  hash: 'file hashes',
  email: 'email addresses',
  asn: 'networks',
  crypto: 'crypto addresses',
  phone: 'phone numbers',
};
const CATEGORY_WORDS: ReadonlyMap<string, string> = new Map([
  ['c2', 'command-and-control'],
  ['bruteforce', 'brute-force'],
]);

const contentOf = ({ category, entityTypes }: CatalogueRow): string =>
  `${CATEGORY_WORDS.get(category) ?? category} ${listOf(entityTypes.map((kind) => KIND_WORDS[kind]))}`;

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

function precisionWords({ entityTypes }: CatalogueRow, precision: Precision | null): string {
  if (precision === null) return 'precision not measured';
  switch (precision.of) {
    case 'names': {
      const { share, freshShare } = precision;
      const recent = freshShare === null ? '' : 'recent ';
      return `1 in ${rounded(1 / (freshShare ?? share))} ${recent}entries is a site people visit`;
    }
    case 'addresses': {
      const { inServices, confirmed } = precision;
      const shared = inServices === 0 ? 'none' : `${rounded(1_000 * inServices)} in 1,000`;
      return `${shared} of its IP addresses belong to shared services and another operator lists ${Math.round(100 * confirmed)} %`;
    }
    case 'files':
      return `each entry names one ${entityTypes[0] === 'crypto' ? 'wallet' : 'file'}`;
  }
}

/** Two digits are as much as a count of another day says. */
const rounded = (count: number): string => Number(count.toPrecision(2)).toLocaleString('en-US');
