/** How many other addresses around one are listed: in its /28, /26 and /24. */
export type Neighbours = { readonly in28: number; readonly in26: number; readonly in24: number };

/** `some`: at least one other in the /24. `dense`, `veryDense`: the counts below. */
export type Crowding = 'some' | 'dense' | 'veryDense';

/** Other listed addresses in a /28, /26 or /24, one of which is enough. Measured forward on three months of lists. */
const DENSE: Neighbours = { in28: 2, in26: 3, in24: 8 };
const VERY_DENSE: Neighbours = { in28: 4, in26: 8, in24: 24 };
/** From this share of listed addresses on, an autonomous system is crowded: its dense networks count as very dense. */
export const CROWDED_SYSTEM_SHARE = 0.005;

export function crowdingOf(neighbours: Neighbours, isCrowdedSystem: () => boolean): Crowding | null {
  if (reaches(neighbours, VERY_DENSE)) return 'veryDense';
  if (reaches(neighbours, DENSE)) return isCrowdedSystem() ? 'veryDense' : 'dense';
  return neighbours.in24 > 0 ? 'some' : null;
}

const reaches = (found: Neighbours, least: Neighbours): boolean =>
  found.in28 >= least.in28 || found.in26 >= least.in26 || found.in24 >= least.in24;

/** Listed IPv4 addresses, ascending and without repetition, with the place where each /16 begins. */
export type ListedAddresses = { readonly addresses: Uint32Array; readonly starts: Uint32Array };

const PREFIXES_16 = 65_536;

export function indexAddresses(addresses: Uint32Array): ListedAddresses {
  const starts = new Uint32Array(PREFIXES_16 + 1);
  let at = 0;
  for (let prefix = 0; prefix < PREFIXES_16; prefix += 1) {
    starts[prefix] = at;
    while (at < addresses.length && (addresses[at] as number) >>> 16 === prefix) at += 1;
  }
  starts[PREFIXES_16] = addresses.length;
  return { addresses, starts };
}

const NONE: Neighbours = { in28: 0, in26: 0, in24: 0 };

/** The address itself is left out, listed or not. */
export function neighboursOf({ addresses, starts }: ListedAddresses, address: number): Neighbours {
  const first = (address & 0xffff_ff00) >>> 0;
  let low = starts[address >>> 16] as number;
  let high = starts[(address >>> 16) + 1] as number;
  const end = high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((addresses[middle] as number) < first) low = middle + 1;
    else high = middle;
  }
  if (low === end || (addresses[low] as number) > first + 255) return NONE;
  let [in28, in26, in24] = [0, 0, 0];
  for (let at = low; at < end; at += 1) {
    const other = addresses[at] as number;
    if (other > first + 255) break;
    if (other === address) continue;
    in24 += 1;
    if (other >>> 6 === address >>> 6) in26 += 1;
    if (other >>> 4 === address >>> 4) in28 += 1;
  }
  return { in28, in26, in24 };
}
