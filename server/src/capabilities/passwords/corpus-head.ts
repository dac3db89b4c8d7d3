import { type Environment, openTable } from '#platform/lmdb.ts';
import type { HashType } from './corpus-files.ts';

/** Tables of a corpus: the buckets by prefix, and one value that is written after all of them. */
export const BUCKETS = 'buckets';
const HEAD = 'head';
const HEAD_KEY = Buffer.from('head');
const FORMAT = 1;

/** Marks a complete corpus: a file without it was never finished. */
export type CorpusHead = {
  readonly type: HashType;
  readonly entries: number;
  readonly buckets: number;
  readonly corpusUpdatedAt: string;
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
