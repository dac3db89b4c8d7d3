import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLER } from '#test/http-app.ts';
import { bySize } from '#test/lane.ts';
import { ANONYMOUS, openListsRig } from '#test/lists-rig.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { applyDifference, canonicalOrder } from './difference.ts';
import { kindOfList, type ListName } from './list-names.ts';

/** Every older version is compared with every newer one: 46 versions make 1,035 pairs. */
const VERSIONS = bySize(6, 46);
const POOL = 240;
const FULL = { ...CALLER, plan: 'BASIC' };
const lines = (text: string): readonly string[] => text.split('\n').slice(0, -1);
const POOLS: readonly (readonly [ListName, readonly string[]])[] = [
  [
    'blocklist-ips-all.txt',
    Array.from({ length: POOL }, (_, i) =>
      i % 10 === 0 ? `2a00:${i.toString(16)}::/48` : i % 7 === 0 ? `45.${i}.0.0/24` : `9.0.${i}.1`,
    ),
  ],
  ['blocklist-domains-all.txt', Array.from({ length: POOL }, (_, i) => `n${i * 37}.example.com`)],
];

let rig: Awaited<ReturnType<typeof openListsRig>>;
beforeAll(async () => {
  rig = await openListsRig();
});
afterAll(() => rig?.close());

test.each(POOLS)(
  'a difference applied to any older text of %s is the new text, in the full list and in the sample',
  async (list, pool) => {
    const [kind, random] = [kindOfList(list), seededRandom(`difference ${list}`)];
    const older = {
      full: new Map<string, readonly string[]>(),
      sample: new Map<string, readonly string[]>(),
    };
    let held = new Set(pool.slice(0, POOL / 2));
    let pairs = 0;
    for (let version = 0; version < VERSIONS; version += 1) {
      // A value that left may come back later. Fewer than half leave at once, or the build would wait for an operator.
      held = new Set(pool.filter((value) => (held.has(value) ? random() < 0.9 : random() < 0.1)));
      await rig.put(list, [...held].sort(canonicalOrder(kind)));
      for (const [variant, who] of [
        ['full', FULL],
        ['sample', ANONYMOUS],
      ] as const) {
        const now = await rig.get(list, who);
        expect(now.headers['x-blocklist-variant']).toBe(variant);
        const text = lines(now.body);
        for (const [etag, before] of older[variant]) {
          const changes = await rig.get(`${list}?since=${encodeURIComponent(etag)}`, who);
          if (etag === now.headers.etag) continue;
          expect(changes.headers['x-blocklist-since']).toBe(etag);
          expect(changes.headers.etag).toBe(now.headers.etag);
          // The difference is minimal: a value that left and came back between the two versions is not in it.
          for (const line of lines(changes.body))
            expect(before.includes(line.slice(1)), line).toBe(line.startsWith('-'));
          expect(applyDifference(kind, before, changes.body)).toEqual(text);
          pairs += 1;
        }
        older[variant].set(String(now.headers.etag), text);
      }
    }
    console.log(`figure list-differences.${kind} ${pairs}`);
    expect(pairs).toBeGreaterThan(bySize(15, 1_000));
  },
);

test('the ETag of another encoding is the same version; one of another variant, or unknown, gets the whole list', async () => {
  const list: ListName = 'blocklist-ips-c2.txt';
  await rig.put(list, ['9.0.0.1', '9.0.0.2', '9.0.0.3']);
  const gzip = await rig.get(list, FULL, { 'accept-encoding': 'gzip' });
  await rig.put(list, ['9.0.0.1', '9.0.0.3', '9.0.0.4']);
  const since = (tag: unknown, who = FULL) =>
    rig.get(`${list}?since=${encodeURIComponent(String(tag))}`, who);
  expect((await since(gzip.headers.etag)).body).toBe('-9.0.0.2\n+9.0.0.4\n');
  const foreign = await since(gzip.headers.etag, ANONYMOUS);
  expect(foreign.headers['x-blocklist-since']).toBeUndefined();
  expect(foreign.headers['x-blocklist-variant']).toBe('sample');
  expect(lines((await since(`${'0'.repeat(32)}-full`)).body)).toEqual(['9.0.0.1', '9.0.0.3', '9.0.0.4']);
});

test.each(['format=csv', 'min_score=60', 'max_entries=1000', 'annotate=1', 'apply=org'])(
  'since beside %s is 400, because differences are of the plain list',
  async (parameter) => {
    const answer = await rig.get(`blocklist-ips-c2.txt?since=x&${parameter}`, FULL);
    expect(answer.statusCode).toBe(400);
  },
);
