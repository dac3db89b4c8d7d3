import { indicatorOfKey, KIND } from '#capabilities/corpus/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { siteOfName } from './class-of-key.ts';
import type { Span } from './store.ts';

/** Kinds of keys that have a standing. A URL is not among them: its key is a digest that cannot be read back. */
const STANDING_KINDS: ReadonlySet<number> = new Set([
  KIND.ipv4,
  KIND.ipv6,
  KIND.cidr4,
  KIND.cidr6,
  KIND.domain,
  KIND.md5,
  KIND.sha1,
  KIND.sha256,
]);

/** What a changed key changes: itself, what lies inside its range or its IPv6 /64, and the names of its site. */
export type Affected = {
  readonly keys: readonly Buffer[];
  readonly spans: readonly Span[];
  readonly sites: readonly bigint[];
};

export function affectedBy(changed: readonly Buffer[]): Affected {
  const sites = new Set<bigint>();
  const spans: Span[] = [];
  for (const key of changed) {
    spans.push(...spansOf(key));
    const site = key[0] === KIND.domain ? siteOfChange(key) : null;
    if (site !== null) sites.add(site);
  }
  return { keys: changed.filter((key) => STANDING_KINDS.has(key[0] as number)), spans, sites: [...sites] };
}

function siteOfChange(key: Buffer): bigint | null {
  const parsed = indicatorOfKey(key);
  return parsed?.ok === true ? siteOfName(parsed.indicator as Indicator) : null;
}

const SITE_BYTES = 8;

function spansOf(key: Buffer): readonly Span[] {
  switch (key[0]) {
    // A listing of one IPv6 address also bears on the rest of its /64 (match type `site`).
    case KIND.ipv6:
      return [spanOf(KIND.ipv6, key.subarray(1, 17), SITE_BYTES * 8)];
    case KIND.cidr4:
      return within(key.subarray(1, 5), key[5] as number, KIND.ipv4, KIND.cidr4);
    case KIND.cidr6:
      return within(key.subarray(1, 17), key[17] as number, KIND.ipv6, KIND.cidr6);
    default:
      return [];
  }
}

/** The spans of addresses and of ranges inside a range. A range's key ends with its prefix length. */
function within(address: Buffer, bits: number, single: number, range: number): readonly Span[] {
  const inside = spanOf(range, address, bits);
  return [
    spanOf(single, address, bits),
    {
      from: Buffer.concat([inside.from, Buffer.of(0)]),
      through: Buffer.concat([inside.through, Buffer.of(0xff)]),
    },
  ];
}

function spanOf(kind: number, address: Buffer, bits: number): Span {
  const [from, through] = [Buffer.from(address), Buffer.from(address)];
  for (let at = 0; at < address.length; at += 1) {
    const kept = Math.min(8, Math.max(0, bits - at * 8));
    const mask = (0xff << (8 - kept)) & 0xff;
    from[at] = (from[at] as number) & mask;
    through[at] = (through[at] as number) | (~mask & 0xff);
  }
  const head = Buffer.of(kind);
  return { from: Buffer.concat([head, from]), through: Buffer.concat([head, through]) };
}
