import { dayOf, type HistoryName, type PastEntry, type Period, pastEntries } from './evaluation-data.ts';

/** What the histories of lists say of lists that take entries back. */
export type ListTurnover = {
  readonly list: HistoryName;
  readonly judged: number;
  readonly left: number;
  readonly ended: number;
  readonly returned: number;
};

const LISTS = [
  'phishtank-hosts',
  'c2intelfeeds-domains',
  'c2intelfeeds-ips',
  'c2intelfeeds-unverified-ips',
  'data-shield-ips',
  'threatfox-ips',
  'maltrail-trails',
] as const satisfies readonly HistoryName[];

/** Entries held on these days and then 14 to 59 days old are looked at again 30 days later. */
const DAYS = ['2026-03-22', '2026-04-22', '2026-05-22', '2026-06-22'].map(dayOf);
const [YOUNG_MIN, YOUNG_MAX, LATER] = [14, 60, 30];
/** Entries that left in this span had 30 days to come back before the histories end. */
const LEFT = { from: dayOf('2026-01-01'), to: dayOf('2026-06-23') };

export async function* listTurnovers(data: string): AsyncGenerator<ListTurnover> {
  for (const list of LISTS) {
    const counts = { judged: 0, left: 0, ended: 0, returned: 0 };
    for await (const entry of pastEntries(data, list)) {
      for (const day of DAYS) {
        const held = heldOn(entry, day);
        if (held === null) continue;
        counts.judged += 1;
        if (held.to !== null && held.to <= day + LATER) counts.left += 1;
      }
      addReturns(entry, counts);
    }
    yield { list, ...counts };
  }
}

/** The period of an entry that was young on a day. The age of one that came back starts with its present period. */
function heldOn({ periods }: PastEntry, day: number): Period | null {
  const held = periods.find(({ from, to }) => from !== null && from <= day && (to === null || to > day));
  const age = held?.from == null ? -1 : day - held.from;
  return held !== undefined && age >= YOUNG_MIN && age < YOUNG_MAX ? held : null;
}

function addReturns({ periods }: PastEntry, counts: { ended: number; returned: number }): void {
  for (const [at, { to }] of periods.entries()) {
    if (to === null || to < LEFT.from || to >= LEFT.to) continue;
    const next = periods[at + 1]?.from ?? null;
    counts.ended += 1;
    if (next !== null && next - to <= LATER) counts.returned += 1;
  }
}
