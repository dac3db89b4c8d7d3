import ipaddr from 'ipaddr.js';
import { badRequest } from '#platform/errors.ts';

/**
 * The allow list for a key that is made in a session of another key: `parent`, the list of that other key, or a
 * narrower one. Both are normalized; an empty list allows every address.
 */
export function inheritCidrs(parent: readonly string[], wanted: readonly string[]): readonly string[] {
  if (parent.length === 0) return wanted;
  if (wanted.length === 0) return parent;
  for (const cidr of wanted)
    if (!parent.some((outer) => isWithin(cidr, outer)))
      throw badRequest(
        `'${cidr}' is outside the allow list of the key you signed in with (${parent.join(', ')}). A key made in this session may be used from those addresses at most.`,
      );
  return wanted;
}

function isWithin(inner: string, outer: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(inner);
  const [network, networkBits] = ipaddr.parseCIDR(outer);
  return address.kind() === network.kind() && bits >= networkBits && address.match(network, networkBits);
}
