import { type Environment, openTable } from '#platform/lmdb.ts';
import { PREFIX_DIGITS, PREFIXES } from './bucket.ts';
import type { HashType } from './corpus-files.ts';

/** Tables of a corpus: the buckets by prefix, and the head, one value that is written after all buckets. */
export const BUCKETS = 'buckets';
const HEAD = 'head';
const HEAD_KEY = Buffer.from('head');
const FORMAT = 2;

/** The first and the last prefix that a corpus answers for. */
export type Coverage = { readonly first: number; readonly last: number };
export const WHOLE: Coverage = { first: 0, last: PREFIXES - 1 };
export const isWhole = ({ first, last }: Coverage): boolean => first === WHOLE.first && last === WHOLE.last;
export const covers = ({ first, last }: Coverage, prefix: number): boolean =>
  prefix >= first && prefix <= last;
export const prefixText = (prefix: number): string =>
  prefix.toString(16).toUpperCase().padStart(PREFIX_DIGITS, '0');

/** Marks a complete corpus: a file without it was never finished. */
export type CorpusHead = Coverage & {
  readonly type: HashType;
  readonly entries: number;
  readonly buckets: number;
  readonly corpusUpdatedAt: string;
  /** SHA-256 over all keys and buckets, hexadecimal: two nodes with one digest have the same hashes and counts. */
  readonly digest: string;
  /** The length of the longest list of entries that a range answer can have; padded answers all have this length. */
  readonly entriesTextMax: number;
};

export function writeHead(environment: Environment, head: CorpusHead): void {
  const table = openTable(environment, HEAD);
  if (table === undefined) throw new Error('The head of the password corpus cannot be written.');
  environment.transactionSync(() => {
    table.putSync(HEAD_KEY, Buffer.from(JSON.stringify({ format: FORMAT, ...head })));
  });
}

/** Null when it is missing or has another format. */
export function readHead(environment: Environment): CorpusHead | null {
  const bytes = openTable(environment, HEAD)?.getBinary(HEAD_KEY);
  if (bytes === undefined) return null;
  const { format, ...head } = JSON.parse(bytes.toString()) as CorpusHead & { readonly format: number };
  return format === FORMAT ? head : null;
}
