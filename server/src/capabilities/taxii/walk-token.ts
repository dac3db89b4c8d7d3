import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Secrets } from '#platform/secrets.ts';

/** The filters of a walk, which its first page fixes for all others (O10). */
export const WalkFilters = z.strictObject({
  /** Dates in microseconds since the epoch. */
  after: z.int().min(0).optional(),
  before: z.int().min(0).optional(),
  min: z.int().min(0).max(100).optional(),
  max: z.int().min(0).max(100).optional(),
  type: z.string().max(500).optional(),
  id: z.string().max(4_000).optional(),
  version: z.string().max(4_000).optional(),
  spec: z.string().max(100).optional(),
  with: z.literal('malware').optional(),
});
export type WalkFilters = z.output<typeof WalkFilters>;

const Walk = z.strictObject({
  v: z.literal(1),
  /** `c` is the collection, `o` the order, `k` the key of the last object, `q` the filters. */
  c: z.string().max(64),
  o: z.enum(['added', 'created']),
  k: z.int(),
  q: WalkFilters,
  /** Objects per page, for a request that names no limit. */
  l: z.int().min(1),
  /** The newest date that was given out when the walk began. */
  s: z.int().min(0),
});
export type Walk = z.output<typeof Walk>;

const MAC_BYTES = 16;
const TOKEN = /^(\d{1,5})\.([\w-]{1,8000})\.([\w-]{22})$/;

export type WalkTokens = {
  readonly write: (walk: Walk) => string;
  /** Null for a text that this service did not write, or wrote under a secret that was retired. */
  readonly read: (text: string) => Walk | null;
};

/** A token holds the whole state of a walk, so any node can continue it, and the same token may be sent again. */
export function createWalkTokens(secrets: Pick<Secrets, 'newest' | 'keyFor'>): WalkTokens {
  const macOf = (version: number, body: string): Buffer | null => {
    const key = secrets.keyFor('walk', version);
    if (key === undefined) return null;
    return createHmac('sha256', key).update(`${version}.${body}`).digest().subarray(0, MAC_BYTES);
  };
  return {
    write: (walk) => {
      const body = Buffer.from(JSON.stringify(walk)).toString('base64url');
      const mac = macOf(secrets.newest, body);
      if (mac === null) throw new Error('There is no key to sign a walk with.');
      return `${secrets.newest}.${body}.${mac.toString('base64url')}`;
    },
    read: (text) => {
      const [, version = '', body = '', mac = ''] = TOKEN.exec(text) ?? [];
      const expected = body === '' ? null : macOf(Number(version), body);
      if (expected === null || !timingSafeEqual(expected, Buffer.from(mac, 'base64url'))) return null;
      const parsed = Walk.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')));
      return parsed.success ? parsed.data : null;
    },
  };
}
