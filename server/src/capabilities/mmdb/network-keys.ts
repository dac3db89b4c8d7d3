import { KIND } from '#capabilities/corpus/index.ts';
import { addressOfBytes, bytesOfAddress, lastOf, type Network, widthOf } from '#domain/mmdb/index.ts';

/** The network that a key of the corpus names: a range, or a single address. */
export function networkOfKey(key: Uint8Array): Network {
  const version = key[0] === KIND.ipv4 || key[0] === KIND.cidr4 ? 4 : 6;
  const width = widthOf(version);
  const first = addressOfBytes(key.subarray(1, 1 + width / 8));
  const isSingle = key[0] === KIND.ipv4 || key[0] === KIND.ipv6;
  return { version, first, bits: isSingle ? width : (key[1 + width / 8] as number) };
}

export const keyOfAddress = (version: 4 | 6, address: bigint): Buffer =>
  Buffer.from([version === 4 ? KIND.ipv4 : KIND.ipv6, ...bytesOfAddress(version, address)]);

const WIDEST = 0;
const NARROWEST = 255;

/** The keys of the single addresses and of the ranges that begin within a network. */
export function keySpansOf(network: Network): readonly { readonly from: Buffer; readonly last: Buffer }[] {
  const { version } = network;
  const [first, last] = [network.first, lastOf(network)].map((address) => bytesOfAddress(version, address));
  const [single, range] = version === 4 ? [KIND.ipv4, KIND.cidr4] : [KIND.ipv6, KIND.cidr6];
  return [
    { from: Buffer.from([single, ...(first ?? [])]), last: Buffer.from([single, ...(last ?? [])]) },
    {
      from: Buffer.from([range, ...(first ?? []), WIDEST]),
      last: Buffer.from([range, ...(last ?? []), NARROWEST]),
    },
  ];
}
