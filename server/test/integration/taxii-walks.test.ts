import { afterAll, beforeAll, expect, test } from 'vitest';
import { orgIndicatorsRoutes } from '#capabilities/org-indicators/index.ts';
import { sql } from '#platform/postgres.ts';
import { bySize } from '#test/lane.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { openTaxiiRig, SHARED_ROOT, STIX, TAXII, type TaxiiObject, type TaxiiRig } from '#test/taxii-rig.ts';

/**
 * Clients that walk and poll while lists change, sources come and go and the collections are rebuilt beside them. After
 * each walk and one poll a client knows exactly what the service knows.
 */

const HOUR_MS = 3_600_000;
const WALKS = bySize(24, 2_000);
const OPEN = { reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;
const SOURCES = {
  servers: { ...OPEN, category: 'c2', lineage: 'servers' },
  pages: { ...OPEN, category: 'phishing', lineage: 'pages' },
} as const;
const VALUES = [
  ...Array.from({ length: 36 }, (_, at) => `45.83.64.${at}`),
  ...Array.from({ length: 12 }, (_, at) => `host${at}.example.com`),
  ...Array.from({ length: 8 }, (_, at) => `http://site.example.net/${at}`),
  '45.83.80.0/24',
  '2a00:1450::1',
];
const COLLECTIONS = ['malicious-ips', 'c2-indicators', 'phishing-indicators', 'org-reported-ips'] as const;
type Id = (typeof COLLECTIONS)[number];
const CATEGORY: Partial<Record<Id, string>> = { 'c2-indicators': 'c2', 'phishing-indicators': 'phishing' };

const random = seededRandom('taxii-walks');
const below = (end: number): number => Math.floor(random() * end);
const some = <T>(of: readonly T[], share: number): T[] => of.filter(() => random() < share);

let rig: TaxiiRig;
beforeAll(async () => {
  rig = await openTaxiiRig(Date.UTC(2027, 0, 1), {
    rowsPerBatch: 7,
    routes: (postgres, clock) =>
      orgIndicatorsRoutes({ clock, postgres, dailyLimitOf: () => 1_000_000, warn: () => [] }),
  });
  await sql`insert into app_user (id, email, created_at) values ('usr_01', 'a@example.org', now())`.execute(
    rig.system.db,
  );
  for (const id of ['servers', 'pages'] as const) await rig.list(id, some(VALUES, 0.6), SOURCES[id]);
  await rig.keep();
});
afterAll(() => rig.close());

/** One change of the world, and the run of the worker that publishes it. */
async function change(): Promise<void> {
  const what = below(6);
  if (what === 0) rig.pass(below(72) * HOUR_MS);
  if (what === 1) {
    await rig.rebuild();
    return;
  }
  if (what === 2) {
    await report();
    return;
  }
  const id = what === 3 ? 'pages' : 'servers';
  rig.pass(1_000);
  await rig.list(id, some(VALUES, 0.2 + random() * 0.7), SOURCES[id]);
  await rig.keep();
}

async function report(): Promise<void> {
  const { app } = rig;
  const value = `203.0.113.${below(20)}`;
  const indicators = [{ type: 'ip', value, category: below(2) === 0 ? 'c2' : 'spam' }];
  const answer = await app.inject({ method: 'POST', url: '/org/indicators', payload: { indicators } });
  const [{ id }] = (answer.json() as { indicators: [{ id: string }] }).indicators;
  if (below(2) === 0) await app.inject({ method: 'DELETE', url: `/org/indicators/${id}` });
}

type Seen = Map<string, TaxiiObject>;
const nameOf = ({ id, modified }: TaxiiObject): string => `${id} ${modified}`;
const isOver = (id: Id, { modified, valid_until, revoked, labels = [] }: TaxiiObject): boolean =>
  revoked === true ||
  valid_until === modified ||
  (CATEGORY[id] !== undefined && !(labels as readonly string[]).includes(CATEGORY[id]));

/** All of a collection on one page, while nothing changes. */
async function truthOf(id: Id): Promise<ReadonlyMap<string, string>> {
  const { objects } = await rig.page(`${SHARED_ROOT}/${id}/objects?limit=1001`);
  return new Map(
    objects.flatMap((each) =>
      each.type === 'indicator' && each.revoked !== true ? [[each.id, each.modified]] : [],
    ),
  );
}

type Walked = { readonly objects: readonly TaxiiObject[]; readonly lastDate: string | null };

async function walk(id: Id, accept: string, after: string | null, meanwhile: () => unknown): Promise<Walked> {
  const objects: TaxiiObject[] = [];
  let [next, lastDate]: [string, string | null] = ['', null];
  for (;;) {
    const date = after === null || next !== '' ? '' : `&added_after=${encodeURIComponent(after)}`;
    const page = await rig.page(`${SHARED_ROOT}/${id}/objects?limit=${1 + below(30)}${date}${next}`, accept);
    objects.push(...page.objects.filter(({ type }) => type === 'indicator'));
    lastDate = (page.headers['x-taxii-date-added-last'] as string | undefined) ?? lastDate;
    if (!page.more) return { objects, lastDate };
    next = `&next=${encodeURIComponent(page.next ?? '')}`;
    await meanwhile();
  }
}

/** Runs up to three changes beside the walk, one at a time; a third of them are waited for. */
function changesBeside(): { readonly begin: () => Promise<unknown>; readonly end: () => Promise<unknown> } {
  let running: Promise<unknown> = Promise.resolve();
  let isRunning = false;
  let left = 3;
  const begin = async (): Promise<unknown> => {
    if (isRunning || left === 0 || below(2) === 0) return undefined;
    left -= 1;
    isRunning = true;
    running = change().finally(() => {
      isRunning = false;
    });
    return below(3) === 0 ? running : undefined;
  };
  return { begin, end: () => running };
}

const learn = (known: Seen, objects: readonly TaxiiObject[]): void => {
  for (const object of objects) {
    const before = known.get(object.id);
    if (before === undefined || before.modified <= object.modified) known.set(object.id, object);
  }
};

test(
  `${WALKS} walks during changes see what did not change exactly once, and lose nothing (trap 35)`,
  async () => {
    const sum = { objects: 0, changed: 0, polled: 0 };
    for (let count = 0; count < WALKS; count += 1) {
      const id = COLLECTIONS[below(COLLECTIONS.length)] as Id;
      const accept = below(2) === 0 ? TAXII : STIX;
      const before = await truthOf(id);
      const startedAt = new Date(rig.clock.now()).toISOString();
      const beside = changesBeside();
      const { objects, lastDate } = await walk(id, accept, null, beside.begin);
      await beside.end();
      const after = await truthOf(id);
      const times = new Map<string, number>();
      for (const object of objects) times.set(nameOf(object), (times.get(nameOf(object)) ?? 0) + 1);
      expect([...times].filter(([, seen]) => seen > 1)).toEqual([]);
      const unchanged = [...before].filter(([object, modified]) => after.get(object) === modified);
      expect(unchanged.filter(([object, modified]) => times.get(`${object} ${modified}`) !== 1)).toEqual([]);
      // A client of TAXII goes on after the last date it saw, others after the time at which their walk began.
      const since = accept === TAXII ? (lastDate ?? startedAt) : startedAt;
      const poll = await walk(id, accept, since, () => undefined);
      const known: Seen = new Map();
      learn(known, objects);
      learn(known, poll.objects);
      for (const [object, modified] of after)
        expect(known.get(object)?.modified, `${id} ${object}`).toBe(modified);
      for (const [object, last] of known)
        if (!after.has(object)) expect(isOver(id, last), `${id} ${object}`).toBe(true);
      sum.objects += objects.length;
      sum.changed += before.size - unchanged.length;
      sum.polled += poll.objects.length;
    }
    // A test in which nothing changes would prove nothing.
    expect(sum.changed).toBeGreaterThan(WALKS / 4);
    expect(sum.polled).toBeGreaterThan(WALKS / 4);
  },
  bySize(600_000, 10_800_000),
);
