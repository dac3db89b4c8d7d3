import { keyedHash } from './set-hash.ts';

export type Head = {
  readonly dataset: string;
  readonly format: number;
  readonly generation: string;
  /** The database it was built from, and the last change it contains. */
  readonly origin: string;
  readonly seq: number;
  /** The time of that change in the log, in microseconds; confirms that the number still means the same change. */
  readonly seqAtUs: string;
  /** The entries of all collections, without derived values. */
  readonly entries: number;
  readonly hashKey: string;
  readonly setHash: string;
  /** The sequence of the last change of each collection and derived value; decoded structures are cached by it. */
  readonly changed: Readonly<Record<string, number>>;
  /** The last moment at which this replica was known to be complete. */
  readonly contactAtMs: number;
  /** How long after that moment the head was written, by the monotonic clock; large while PostgreSQL answers slowly. */
  readonly contactTookMs: number;
  readonly builtAtMs: number;
  readonly builtBytes: number;
};

export const META_TABLE = 'meta';
export const DERIVED_TABLE = 'derived';
export const HEAD_KEY = Buffer.from('head');
/** Also the name of the collection in `Head.changed`. */
export const collectionTable = (collection: string): string => `c:${collection}`;
export const isCollectionMember = (member: string): boolean => member.startsWith('c:');
export const derivedMember = (derived: string): string => `d:${derived}`;

const CHECKSUM_CHARS = 32;

/** The set hash covers the entries; the head has its own checksum. */
export function encodeHead(head: Head): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  return Buffer.concat([Buffer.from(keyedHash(Buffer.from(head.hashKey, 'hex'), text)), text]);
}

export function decodeHead(bytes: Uint8Array | undefined): Head {
  if (bytes === undefined) throw new Error('The generation has no head.');
  const text = Buffer.from(bytes.subarray(CHECKSUM_CHARS));
  // Heads in replicas of earlier versions have no `contactTookMs`.
  const head = { contactTookMs: 0, ...(JSON.parse(text.toString()) as Omit<Head, 'contactTookMs'>) };
  const checksum = Buffer.from(bytes.subarray(0, CHECKSUM_CHARS)).toString();
  if (keyedHash(Buffer.from(head.hashKey, 'hex'), text) !== checksum)
    throw new Error('The head of the generation does not match its checksum.');
  return head;
}
