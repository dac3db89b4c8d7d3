import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { formatIpv4, readIpv4 } from '../../server/src/domain/indicator/index.ts';
import { randomNumbers } from '../support/random-numbers.ts';

/** Readers of visited hosts, routed networks and list histories, which are for evaluation alone and never a guard. */
export const linesOf = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path).pipe(createGunzip()) });

export async function* visitedHosts(data: string): AsyncGenerator<string> {
  for await (const line of linesOf(join(data, 'visited/crux-hosts-sample.tsv.gz')))
    yield line.slice(0, line.indexOf('\t'));
}

/** Addresses of routed networks, drawn evenly over all of them; the same on every machine. */
export async function routedAddresses(data: string, count: number): Promise<readonly string[]> {
  const [starts, ends]: [number[], number[]] = [[], []];
  let routed = 0;
  for await (const line of linesOf(join(data, 'geo/asn/asn-ipv4.csv.gz'))) {
    const [first = '', last = ''] = line.split(',', 2);
    const start = readIpv4(first);
    starts.push(routed - start);
    routed += readIpv4(last) - start + 1;
    ends.push(routed);
  }
  const next = randomNumbers(7);
  return Array.from({ length: count }, () => {
    const place = Math.floor((next() / 2 ** 32) * routed);
    return formatIpv4(place - (starts[rangeOf(ends, place)] as number));
  });
}

/** Index of the first range that ends after `place`, by binary search. */
function rangeOf(ends: readonly number[], place: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] as number) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const HISTORIES = [
  'threatfox-ips',
  'c2intelfeeds-ips',
  'c2intelfeeds-unverified-ips',
  'c2intelfeeds-domains',
  'c2-tracker-ips',
  'data-shield-ips',
  'phishtank-hosts',
  'maltrail-trails',
] as const;
export type HistoryName = (typeof HISTORIES)[number];

/** Days since the epoch; `from` is null where the entry is older than the history, `to` where it is still listed. */
export type Period = { readonly from: number | null; readonly to: number | null };
export type PastEntry = { readonly value: string; readonly periods: readonly Period[] };

export const DAY_S = 86_400;
const DAY_MS = 86_400_000;
const knownDays = new Map<string, number>();
export function dayOf(text: string): number {
  let day = knownDays.get(text);
  if (day === undefined) {
    day = Date.parse(text) / DAY_MS;
    knownDays.set(text, day);
  }
  return day;
}

export async function* pastEntries(data: string, name: HistoryName): AsyncGenerator<PastEntry> {
  for await (const line of linesOf(join(data, `history/${name}.tsv.gz`))) {
    const tab = line.indexOf('\t');
    yield {
      value: line.slice(0, tab),
      periods: line
        .slice(tab + 1)
        .split(',')
        .map(periodOf),
    };
  }
}

function periodOf(text: string): Period {
  const slash = text.indexOf('/');
  const [from, to] = [text.slice(0, slash), text.slice(slash + 1)];
  return { from: from === '' ? null : dayOf(from), to: to === '' ? null : dayOf(to) };
}
