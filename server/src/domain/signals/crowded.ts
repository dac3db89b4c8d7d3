/** How many other addresses around one are listed: in its /28, /26 and /24. */
export type Neighbours = { readonly in28: number; readonly in26: number; readonly in24: number };

/** `some`: at least one other in the /24. `dense`, `veryDense`: the counts below. */
export type Crowding = 'some' | 'dense' | 'veryDense';

/** Other listed addresses in a /28, /26 or /24, one of which is enough. Measured forward on three months of lists. */
const DENSE: Neighbours = { in28: 2, in26: 3, in24: 8 };
const VERY_DENSE: Neighbours = { in28: 4, in26: 8, in24: 24 };
/** From this share of listed addresses on, an autonomous system is crowded: its dense networks count as very dense. */
export const CROWDED_SYSTEM_SHARE = 0.005;

/** From this many command servers in the /24 on, a network is very dense: few others are ever listed beside them. */
const COMMAND_SERVERS_MIN = 3;

/** The listed addresses around one. */
export type Surroundings = {
  /** Listed at any time of the last 90 days. */
  readonly recent: Neighbours;
  /** Of these, listed when the tables were trained. */
  readonly now: Neighbours;
  /** Of the recent ones in the /24, command servers. */
  readonly commandServers: number;
};

export function crowdingOf(around: Surroundings, isCrowdedSystem: () => boolean): Crowding | null {
  const { recent, now, commandServers } = around;
  if (reaches(recent, VERY_DENSE) || commandServers >= COMMAND_SERVERS_MIN) return 'veryDense';
  if (reaches(now, DENSE) && isCrowdedSystem()) return 'veryDense';
  if (reaches(recent, DENSE)) return 'dense';
  return recent.in24 > 0 ? 'some' : null;
}

const reaches = (found: Neighbours, least: Neighbours): boolean =>
  found.in28 >= least.in28 || found.in26 >= least.in26 || found.in24 >= least.in24;

/** What is known of a recently listed address, as bits. */
export const LISTED_NOW = 1;
export const COMMAND_SERVER = 2;

/**
 * IPv4 addresses that were listed lately, ascending and without repetition, each with its bits, and the place where each /16
 * begins.
 */
export type ListedAddresses = {
  readonly addresses: Uint32Array;
  readonly bits: Uint8Array;
  readonly starts: Uint32Array;
};

const PREFIXES_16 = 65_536;

export function indexAddresses(addresses: Uint32Array, bits: Uint8Array): ListedAddresses {
  const starts = new Uint32Array(PREFIXES_16 + 1);
  let at = 0;
  for (let prefix = 0; prefix < PREFIXES_16; prefix += 1) {
    starts[prefix] = at;
    while (at < addresses.length && (addresses[at] as number) >>> 16 === prefix) at += 1;
  }
  starts[PREFIXES_16] = addresses.length;
  return { addresses, bits, starts };
}

const NO_NEIGHBOURS: Neighbours = { in28: 0, in26: 0, in24: 0 };
const NOTHING: Surroundings = { recent: NO_NEIGHBOURS, now: NO_NEIGHBOURS, commandServers: 0 };

/** The address itself is left out, listed or not. */
export function neighboursOf({ addresses, bits, starts }: ListedAddresses, address: number): Surroundings {
  const first = (address & 0xffff_ff00) >>> 0;
  let low = starts[address >>> 16] as number;
  let high = starts[(address >>> 16) + 1] as number;
  const end = high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((addresses[middle] as number) < first) low = middle + 1;
    else high = middle;
  }
  if (low === end || (addresses[low] as number) > first + 255) return NOTHING;
  const recent = { in28: 0, in26: 0, in24: 0 };
  const now = { in28: 0, in26: 0, in24: 0 };
  let commandServers = 0;
  for (let at = low; at < end; at += 1) {
    const other = addresses[at] as number;
    if (other > first + 255) break;
    if (other === address) continue;
    const known = bits[at] as number;
    count(recent, other, address);
    if ((known & LISTED_NOW) !== 0) count(now, other, address);
    if ((known & COMMAND_SERVER) !== 0) commandServers += 1;
  }
  return { recent, now, commandServers };
}

type Counts = { -readonly [net in keyof Neighbours]: number };

function count(counts: Counts, other: number, address: number): void {
  counts.in24 += 1;
  if (other >>> 6 === address >>> 6) counts.in26 += 1;
  if (other >>> 4 === address >>> 4) counts.in28 += 1;
}
