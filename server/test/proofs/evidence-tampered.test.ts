import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAll } from '#capabilities/cases/index.ts';
import { type CasesRig, createCasesRig, DAY_MS, RIG_NOW } from '#test/cases-rig.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { createTamperer, type Tampered, type Tamperer } from '#test/tamper-evidence.ts';

/** A superuser edits evidence, and the check must name the place of every edit. */
const WRITERS = 50;
const CASES = 20;
const DAYS = 5;
const PIECES_A_DAY = 100;
const PIECES = CASES * DAYS * PIECES_A_DAY;
const random = seededRandom('evidence-tampered');
const below = (max: number): number => Math.floor(random() * max);

let rig: CasesRig;
let tamperer: Tamperer;
const caseIds: string[] = [];
beforeAll(async () => {
  rig = await createCasesRig();
});
afterAll(async () => {
  await rig?.close();
});

const pieceOf = (number: number) => ({
  kind: 'note',
  title: `Piece ${number}`,
  description: random() < 0.5 ? `Seen at ${number}` : null,
  payload: { number, host: `ws-${below(1_000)}`, score: random(), tags: ['a', 'ü', '€'] },
});

test('50 writers add 10,000 pieces to 20 cases on five days: every chain is whole', {
  timeout: 3_600_000,
}, async () => {
  for (let at = 0; at < CASES; at += 1) caseIds.push((await rig.open({ title: `Case ${at}` })).id);
  for (let day = 0; day < DAYS; day += 1) {
    rig.clock.set(RIG_NOW + day * DAY_MS);
    const left = Array.from({ length: CASES * PIECES_A_DAY }, (_, at) => caseIds[at % CASES] as string);
    const writer = async (): Promise<void> => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) await rig.add(id, pieceOf(left.length));
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    rig.clock.set(RIG_NOW + (day + 1) * DAY_MS);
    expect(await rig.seal()).toMatchObject({ roots: 1 });
  }
  const found = await verifyAll(rig.system);
  expect(found).toMatchObject({ cases: CASES, pieces: PIECES, roots: DAYS, broken: [] });
  tamperer = await createTamperer(rig);
});

type Kind = (id: string) => Promise<Tampered>;
const LENGTH = DAYS * PIECES_A_DAY;
const position = (): number => 1 + below(LENGTH);
const KINDS: Readonly<Record<string, readonly [times: number, tamper: Kind]>> = {
  byte: [40, (id) => tamperer.flipByte(id, position(), below(5))],
  row: [40, (id) => tamperer.deleteRow(id, position())],
  order: [40, (id) => tamperer.swap(id, 1 + below(LENGTH - 1))],
  tail: [20, (id) => tamperer.cutTail(id, 1 + below(LENGTH), false)],
  'tail-counted': [20, (id) => tamperer.cutTail(id, 1 + below(LENGTH), true)],
  chain: [20, (id) => tamperer.recomputeChain(id, position())],
  'chain-and-seals': [10, (id) => tamperer.recomputeSeals(id, position(), false)],
  'chain-seals-and-roots': [10, (id) => tamperer.recomputeSeals(id, position(), true)],
};

test('of 200 edits as superuser 200 are named by their place', { timeout: 3_600_000 }, async () => {
  const roots = await rig.owner.query(
    `select to_char(day, 'YYYY-MM-DD') as day, encode(root, 'hex') as root from evidence_root`,
  );
  const noted = Object.fromEntries(roots.rows.map(({ day, root }) => [day, root]));
  const named: Record<string, number> = {};
  const missed: string[] = [];
  for (const [kind, [times, tamper]] of Object.entries(KINDS))
    for (let at = 0; at < times; at += 1) {
      const id = caseIds[below(CASES)] as string;
      const { brokenAt, day, what } = await tamper(id);
      const { broken } = await verifyAll(rig.system, { noted });
      const isNamed = broken.some(
        (each) =>
          (brokenAt !== null && each.caseId === id && each.position === brokenAt) ||
          (day !== null && each.day === day),
      );
      if (isNamed) named[kind] = (named[kind] ?? 0) + 1;
      else missed.push(`${kind}: ${what}; found ${JSON.stringify(broken)}`);
      await tamperer.restore(id);
    }
  expect(missed).toEqual([]);
  expect((await verifyAll(rig.system, { noted })).broken).toEqual([]);
  const total = Object.values(named).reduce((sum, count) => sum + count, 0);
  keepResult('evidence-tampered', { pieces: PIECES, tampered: 200, named: total, ...named });
  expect(total).toBe(200);
});
