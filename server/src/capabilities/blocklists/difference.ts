import { NOT_IPV4, readIpv4, readIpv6 } from '#domain/indicator/index.ts';
import type { ListKind } from './list-names.ts';

export type Difference = { readonly added: readonly string[]; readonly removed: readonly string[] };

export function differenceOf(before: readonly string[], after: readonly string[]): Difference {
  const [old, current] = [new Set(before), new Set(after)];
  return {
    added: after.filter((value) => !old.has(value)),
    removed: before.filter((value) => !current.has(value)),
  };
}

/** The removed values with `-`, then the added ones with `+`, each group in the order of the list. */
export const differenceText = ({ added, removed }: Difference): string =>
  [...removed.map((value) => `-${value}\n`), ...added.map((value) => `+${value}\n`)].join('');

/** What a client does with a difference: the lines of the new list, in the order of the list. */
export function applyDifference(kind: ListKind, lines: readonly string[], text: string): readonly string[] {
  const kept = new Set(lines);
  for (const line of text.split('\n').slice(0, -1))
    if (line.startsWith('-')) kept.delete(line.slice(1));
    else kept.add(line.slice(1));
  return [...kept].sort(canonicalOrder(kind));
}

/** IPv4 by number, then IPv6, a range at its first address and before what it covers; names by their bytes. */
export const canonicalOrder = (kind: ListKind): ((a: string, b: string) => number) =>
  kind === 'names' ? byBytes : (a, b) => byBytes(addressKey(a), addressKey(b));

const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function addressKey(value: string): string {
  const [address = '', bits] = value.split('/');
  const v4 = readIpv4(address);
  const bytes = v4 === NOT_IPV4 ? (readIpv6(address) ?? []) : null;
  const first =
    bytes === null ? `4${v4.toString(16).padStart(8, '0')}` : `6${Buffer.from(bytes).toString('hex')}`;
  return `${first}/${(bits ?? (bytes === null ? '32' : '128')).padStart(3, '0')}`;
}
