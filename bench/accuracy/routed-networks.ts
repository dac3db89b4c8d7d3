import { join } from 'node:path';
import { EMPTY_BOOK } from '../../server/src/capabilities/enrichment/index.ts';
import { readIpv4 } from '../../server/src/domain/indicator/index.ts';
import { linesOf } from './evaluation-data.ts';

/** Which autonomous system announces an address, and how many addresses each announces. */
export type Networks = {
  readonly asnOf: (address: number) => number;
  readonly sizes: ReadonlyMap<number, number>;
  readonly book: typeof EMPTY_BOOK;
};

export async function readNetworks(data: string): Promise<Networks> {
  const [starts, ends, asns]: [number[], number[], number[]] = [[], [], []];
  const sizes = new Map<number, number>();
  for await (const line of linesOf(join(data, 'geo/asn/asn-ipv4.csv.gz'))) {
    const [first = '', last = '', asnText = ''] = line.split(',', 3);
    const [start, end, asn] = [readIpv4(first), readIpv4(last), Number(asnText)];
    starts.push(start);
    ends.push(end);
    asns.push(asn);
    sizes.set(asn, (sizes.get(asn) ?? 0) + end - start + 1);
  }
  const asnOf = (address: number): number => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= address) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (ends[low - 1] as number) >= address ? (asns[low - 1] as number) : 0;
  };
  const networkOf: (typeof EMPTY_BOOK)['networkOf'] = (ip) => {
    const asn = ip.version === 4 ? asnOf(ip.address) : 0;
    return asn === 0 ? null : { asn, name: '', prefix: '' };
  };
  return { asnOf, sizes, book: { ...EMPTY_BOOK, networkOf } };
}
