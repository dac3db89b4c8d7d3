import { createKeyWriter, KIND } from '#capabilities/corpus/index.ts';
import { unwrapped } from '#capabilities/judging/index.ts';
import { type Domain, hostOf, type Indicator, type Ip, parseIndicator } from '#domain/indicator/index.ts';

export const ENTITY_TYPES = ['ip', 'domain', 'url', 'email'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** A value that can be watched, with its key in the corpus and the place of its host. */
export type Target = {
  readonly key: Buffer;
  readonly entityType: EntityType;
  readonly value: string;
  readonly place: Buffer;
};

const keys = createKeyWriter();
const isWatchable = (indicator: Indicator): indicator is Extract<Indicator, { kind: EntityType }> =>
  (ENTITY_TYPES as readonly string[]).includes(indicator.kind);

/** Parses a stored value; null where the rules of parsing changed since it was stored. */
export function indicatorOf(value: string): Indicator | null {
  const parsed = parseIndicator(value);
  return parsed.ok ? parsed.indicator : null;
}

/** Null for a range and for a digest, which cannot be watched. */
export function targetOf(indicator: Indicator): Target | null {
  if (!isWatchable(indicator)) return null;
  const key = Buffer.from(keys.of(indicator));
  const host = hostOf(unwrapped(indicator).inner);
  if (host === null) return null;
  return { key, entityType: indicator.kind, value: indicator.value, place: placeOf(host) };
}

/** Sorts before every character of a name, so that all subdomains of a name are one span. */
const LABEL_END = String.fromCharCode(1);
/** Appended to the place of a name, it gives the end of the span of its subdomains. */
export const BELOW_NAME_END = Buffer.of(2);

/** Sorts addresses by number, and names by their labels from the right (com, example, www). */
function placeOf(host: Ip | Domain): Buffer {
  return host.kind === 'domain' ? placeOfName(host.value) : Buffer.from(keys.of(host));
}

function placeOfName(name: string): Buffer {
  const labels = name.split('.').reverse().join(LABEL_END);
  return Buffer.from(`${String.fromCharCode(KIND.domain)}${labels}`, 'latin1');
}

/** The places from `from` (included) to `to` (excluded). */
export type Span = { readonly from: Buffer; readonly to: Buffer };

function spanOfBits(kind: number, address: Buffer, bits: number): Span {
  const [first, last] = [Buffer.from(address), Buffer.from(address)];
  for (let at = 0; at < address.length; at += 1) {
    const kept = Math.min(8, Math.max(0, bits - at * 8));
    const mask = (0xff << (8 - kept)) & 0xff;
    first[at] = (first[at] as number) & mask;
    last[at] = (last[at] as number) | (~mask & 0xff);
  }
  return {
    from: Buffer.concat([Buffer.of(kind), first]),
    to: Buffer.concat([Buffer.of(kind), last, Buffer.of(0)]),
  };
}

/**
 * Where targets lie that changed keys of the corpus bear on. Neither sorted nor distinct, because the database does
 * both in a tenth of the time.
 */
export type Reach = {
  /** Places of changed IPv4 addresses. */
  readonly points: readonly Buffer[];
  /** Places of changed names, which stand for all their subdomains too. */
  readonly names: readonly Buffer[];
  /** Places inside changed ranges, and inside the /64 of a changed IPv6 address. */
  readonly spans: readonly Span[];
  /** Keys of changed URLs and e-mail addresses. */
  readonly exact: readonly Buffer[];
};

/** Ignores keys of file hashes, which bear on nothing that can be watched. */
export function reachOf(changed: readonly Uint8Array[]): Reach {
  const reach = { points: [] as Buffer[], names: [] as Buffer[], spans: [] as Span[], exact: [] as Buffer[] };
  for (const key of changed) {
    const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
    switch (bytes[0]) {
      // The place of an address is its key.
      case KIND.ipv4:
        reach.points.push(bytes);
        break;
      case KIND.domain:
        reach.names.push(placeOfName(bytes.toString('latin1', 1)));
        break;
      case KIND.ipv6:
        reach.spans.push(spanOfBits(KIND.ipv6, bytes.subarray(1, 17), 64));
        break;
      case KIND.cidr4:
        reach.spans.push(spanOfBits(KIND.ipv4, bytes.subarray(1, 5), bytes[5] as number));
        break;
      case KIND.cidr6:
        reach.spans.push(spanOfBits(KIND.ipv6, bytes.subarray(1, 17), bytes[17] as number));
        break;
      case KIND.url:
      case KIND.email:
        reach.exact.push(bytes);
        break;
    }
  }
  return reach;
}
