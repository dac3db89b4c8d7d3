import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ContactSummaries, ContactSummary } from '#capabilities/contacts/index.ts';
import type { Assessment, Assessor } from '#capabilities/judging/index.ts';
import { checkBatch, type RowMaker } from './check-batch.ts';
import { readBatch } from './read-batch.ts';

const names = Array.from({ length: 40 }, (_, i) => `host-${i}.example.com`);
const { entries } = readBatch([...names, 'no indicator'], null);
const make: RowMaker<string> = {
  judged: (entity, _indicator, { snapshotId }) => `${entity} ${snapshotId}`,
  contact: (entity, _type, { snapshotId }) => `${entity} ${snapshotId}`,
  refused: (entity) => `${entity} refused`,
};
const statesIn = (rows: readonly string[]): string[] => [
  ...new Set(rows.slice(0, -1).map((row) => row.split(' ')[1] ?? '')),
];

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

function slowAssessor(stateAt: (judged: number) => string) {
  const turns: number[] = [];
  const assess: Assessor = () => {
    const snapshotId = stateAt(turns.length);
    turns.push(turn);
    return { snapshotId } as Assessment;
  };
  const phone = () => assess({} as never) as unknown as ContactSummary;
  const contacts: ContactSummaries = { email: (judge) => judge({} as never) as never, phone };
  const clock = { now: () => 0, monotonic: () => turns.length };
  return { deps: { assess, contacts, nowMs: 0, clock }, turns };
}

test('rows come in the order of the entries, including those that cannot be judged', async () => {
  const { deps } = slowAssessor(() => 'a');
  expect(await checkBatch(deps, entries, make)).toEqual([
    ...names.map((name) => `${name} a`),
    'no indicator refused',
  ]);
});

test('a batch blocks the event loop for at most ten milliseconds at a time', async () => {
  const { deps, turns } = slowAssessor(() => 'a');
  await checkBatch(deps, entries, make);
  const perTurn = Map.groupBy(turns, (at) => at);
  expect(Math.max(...[...perTurn.values()].map((judged) => judged.length))).toBe(11);
});

test('a change of the corpus restarts the batch: no answer mixes two states', async () => {
  const { deps, turns } = slowAssessor((judged) => (judged < 15 ? 'before' : 'after'));
  expect(statesIn(await checkBatch(deps, entries, make))).toEqual(['after']);
  expect(turns).toHaveLength(16 + 40);
});

test('with a change in every turn the last attempt runs within one turn', async () => {
  const { deps } = slowAssessor(() => `turn-${turn}`);
  expect(statesIn(await checkBatch(deps, entries, make))).toHaveLength(1);
});

test('contacts of a batch are of the same state as its other rows', async () => {
  const mixed = Array.from({ length: 40 }, (_, i) =>
    i % 2 === 0 ? `+4917012345${10 + i}` : `someone@host-${i}.example.com`,
  );
  const batch = readBatch([...mixed, 'no indicator'], null).entries;
  const { deps } = slowAssessor((judged) => (judged < 15 ? '7-a' : '8-a'));
  expect(statesIn(await checkBatch(deps, batch, make))).toEqual(['8-a']);
});
