import type { ListEntry, ListName } from '#capabilities/blocklists/index.ts';
import { seededRandom } from './seeded-random.ts';

/** Lines of the lists of the data set of 219 sources, all sources counted (docs/blocklists.md). */
export const REAL_LINES: ReadonlyMap<ListName, number> = new Map([
  ['blocklist-ips-all.txt', 235_000],
  ['blocklist-ips-critical.txt', 20_000],
  ['blocklist-domains-all.txt', 63_000],
]);

/** One line in this many leaves from one version to the next, and as many come. */
const MOVED_OF = 100;
const SCORE_STEPS = 60;

/** Lists of about this size; each version shares 99 of 100 lines with the one before. */
export function firewallLists(version: number, share = 1): ReadonlyMap<ListName, readonly ListEntry[]> {
  const lists = new Map<ListName, readonly ListEntry[]>();
  for (const [list, lines] of REAL_LINES) {
    const wanted = Math.round(lines * share);
    const isNames = list.includes('domains');
    const [random, values] = [seededRandom(list), new Set<number>()];
    while (values.size < wanted + version * Math.round(wanted / MOVED_OF))
      values.add(isNames ? Math.floor(random() * 2 ** 40) : Math.floor((random() * 0.75 + 0.05) * 2 ** 32));
    const held = [...values].slice(-wanted).sort((a, b) => a - b);
    const texts = isNames ? held.map(nameOf).sort() : held.map(addressOf);
    lists.set(
      list,
      texts.map((value, at) => ({
        value,
        score: 35 + (at % SCORE_STEPS),
        family: at % 3 === 0 ? 'Mirai' : null,
        reason: 'Two lists name it; the newest report is of this week.',
      })),
    );
  }
  return lists;
}

const addressOf = (number: number): string =>
  [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255].join('.');
const nameOf = (number: number): string => `${number.toString(36)}.example.com`;
