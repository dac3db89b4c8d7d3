import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { bySize } from '#test/lane.ts';
import { indicatorOf } from '#test/listed-corpus.ts';
import { openTaxiiRig, type TaxiiRig } from '#test/taxii-rig.ts';
import { valuesOfAllKinds } from '#test/taxii-values.ts';

/** Two weeks of a worker: lists are fetched every six hours, collections compared after each, and rebuilt at night. */

const HOUR_MS = 3_600_000;
const DAYS = 7;
const FETCHES_A_DAY = 4;
const ENTRIES = bySize(400, 20_000);
const CHANGED_A_DAY = ENTRIES / 100;
const OPEN = { reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;
const C2 = { ...OPEN, category: 'c2', lineage: 'servers' };
const PHISHING = { ...OPEN, category: 'phishing', lineage: 'pages' };

let rig: TaxiiRig;
/** What the two sources list now. */
let servers = [...valuesOfAllKinds(ENTRIES)];
let pages = servers.slice(0, ENTRIES / 4);
let fresh = valuesOfAllKinds(2 * ENTRIES).slice(ENTRIES);

beforeAll(async () => {
  rig = await openTaxiiRig(Date.UTC(2027, 0, 4, 2), { rowsPerBatch: 2_000 });
  await fetchLists();
  await rig.rebuild();
}, 600_000);
afterAll(() => rig?.close());

async function fetchLists(): Promise<void> {
  await rig.list('servers', servers, C2);
  await rig.list('pages', pages, PHISHING);
}

type Published = {
  readonly value: string;
  readonly addedUs: number;
  readonly untilUs: number;
  /** The other contents that make a new version of an object: level, categories and collections. */
  readonly said: string;
};

async function published(): Promise<ReadonlyMap<string, Published>> {
  const { rows } = await sql<Published>`
    select stix::jsonb ->> 'name' as value, added_us::float8 as "addedUs", until_us::float8 as "untilUs",
           concat_ws(' ', level, categories, collections) as said from taxii_object`.execute(rig.system.db);
  return new Map(rows.map((row) => [row.value, row]));
}

type Day = {
  /** Objects that were dated anew without one of the reasons of O11. */
  readonly idle: readonly string[];
  /** Objects that were dated anew only because their end moved by more than a quarter. */
  readonly renewed: readonly string[];
  readonly changed: readonly string[];
};

/** Fetches the lists for a day and returns the objects that were dated anew, by reason. */
async function fetchForADay(): Promise<Day> {
  const day = { idle: [] as string[], renewed: [] as string[], changed: new Set<string>() };
  let before = await published();
  const compare = async () => {
    const after = await published();
    for (const [value, now] of after) {
      const then = before.get(value);
      if (then?.addedUs === now.addedUs) continue;
      if (then?.said !== now.said) day.changed.add(value);
      else if (isMoved(then, now)) day.renewed.push(value);
      else day.idle.push(value);
    }
    before = after;
  };
  for (let count = 0; count < FETCHES_A_DAY; count += 1) {
    rig.pass((24 / FETCHES_A_DAY) * HOUR_MS);
    await fetchLists();
    await rig.keep();
    await compare();
  }
  await rig.rebuild();
  await compare();
  return { ...day, changed: [...day.changed] };
}

const isMoved = (then: Published, now: Published): boolean =>
  Math.abs(now.untilUs - then.untilUs) > 0.25 * (then.untilUs - then.addedUs);

const say = (what: string, day: number, { idle, renewed, changed }: Day): void => {
  console.info(`figure taxii-${what}-day-${day}-idle ${idle.length}`);
  console.info(`figure taxii-${what}-day-${day}-renewed ${renewed.length}`);
  console.info(`figure taxii-${what}-day-${day}-changed ${changed.length}`);
};

test(
  `${DAYS} days of unchanged lists date no object anew, but where its end moves by a quarter (O11)`,
  async () => {
    expect((await published()).size).toBe(ENTRIES);
    for (let day = 1; day <= DAYS; day += 1) {
      const dated = await fetchForADay();
      say('unchanged', day, dated);
      expect({ idle: dated.idle, changed: dated.changed }).toEqual({ idle: [], changed: [] });
      // The shortest life is ten days, so the first ends have moved by a quarter after two and a half.
      if (day <= 2) expect(dated.renewed).toEqual([]);
    }
  },
  bySize(600_000, 7_200_000),
);

test(
  `${DAYS} days in which 1 % of the entries change date exactly those anew, beside such ends`,
  async () => {
    for (let day = 1; day <= DAYS; day += 1) {
      const changed = changeLists();
      const dated = await fetchForADay();
      say('changed', day, dated);
      expect(dated.idle).toEqual([]);
      expect(dated.changed.toSorted()).toEqual(changed.toSorted());
    }
  },
  bySize(600_000, 7_200_000),
);

/** A third of the changes are removals from a list, a third entries of a second list, the rest new. Returns all. */
function changeLists(): readonly string[] {
  const part = Math.max(1, Math.floor(CHANGED_A_DAY / 3));
  const onlyServers = servers.filter((value) => !pages.includes(value));
  const [leaving, accused] = [onlyServers.slice(0, part), onlyServers.slice(part, 2 * part)];
  const added = fresh.slice(0, CHANGED_A_DAY - 2 * part);
  fresh = fresh.slice(added.length);
  servers = [...servers.filter((value) => !leaving.includes(value)), ...added];
  pages = [...pages, ...accused];
  return [...leaving, ...accused, ...added].map((value) => indicatorOf(value).value);
}
