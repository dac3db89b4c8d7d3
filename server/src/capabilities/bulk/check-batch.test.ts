import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Assessment, Assessor } from '#capabilities/check/index.ts';
import { checkBatch, type RowMaker } from './check-batch.ts';
import { readBatch } from './read-batch.ts';

const names = Array.from({ length: 40 }, (_, i) => `host-${i}.example.com`);
const { entries } = readBatch([...names, 'no indicator'], false);
const make: RowMaker<string> = {
  judged: (entity, _indicator, { snapshotId }) => `${entity} ${snapshotId}`,
  refused: (entity) => `${entity} refused`,
};
const statesIn = (rows: readonly string[]): string[] => [
  ...new Set(rows.slice(0, -1).map((row) => row.split(' ')[1] ?? '')),
];

/** Turns of the event loop, counted while a test runs. */
let turn = 0;
let counting: NodeJS.Immediate;
beforeEach(() => {
  const next = (): void => {
    turn += 1;
    counting = setImmediate(next);
  };
  counting = setImmediate(next);
});
afterEach(() => clearImmediate(counting));

/** Each judgement takes a millisecond of this clock. */
function slowAssessor(stateAt: (judged: number) => string) {
  const turns: number[] = [];
  const assess: Assessor = () => {
    const snapshotId = stateAt(turns.length);
    turns.push(turn);
    return { snapshotId } as Assessment;
  };
  return { deps: { assess, clock: { now: () => 0, monotonic: () => turns.length } }, turns };
}

test('rows come in the order of the entries, those that cannot be judged among them', async () => {
  const { deps } = slowAssessor(() => 'a');
  expect(await checkBatch(deps, entries, make)).toEqual([
    ...names.map((name) => `${name} a`),
    'no indicator refused',
  ]);
});

test('a batch holds the event loop for ten milliseconds at most, then others have their turn', async () => {
  const { deps, turns } = slowAssessor(() => 'a');
  await checkBatch(deps, entries, make);
  const perTurn = Map.groupBy(turns, (at) => at);
  expect(Math.max(...[...perTurn.values()].map((judged) => judged.length))).toBe(11);
});

test('a corpus that changes on the way begins the batch again: no answer mixes two states', async () => {
  const { deps, turns } = slowAssessor((judged) => (judged < 15 ? 'before' : 'after'));
  expect(statesIn(await checkBatch(deps, entries, make))).toEqual(['after']);
  expect(turns).toHaveLength(16 + 40);
});

test('a corpus that changes every turn is judged within one turn at last', async () => {
  const { deps } = slowAssessor(() => `turn-${turn}`);
  expect(statesIn(await checkBatch(deps, entries, make))).toHaveLength(1);
});
