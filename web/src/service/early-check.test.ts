import { expect, test } from 'vitest';
import { createEarlyCheck, type Opened } from './early-check.ts';

type Asked = { readonly value: string; readonly signal: AbortSignal; hasEnded: boolean };

function desk(fails = false) {
  const asked: Asked[] = [];
  const early = createEarlyCheck(async function* (value, signal) {
    const mine: Asked = { value, signal, hasEnded: false };
    asked.push(mine);
    try {
      if (fails) throw new Error('refused');
      yield 'first';
      yield 'second';
    } finally {
      mine.hasEnded = true;
    }
  });
  return { asked, early };
}
const listOf = async (opened: Opened<string> | null): Promise<readonly string[]> =>
  opened === null ? [] : [...opened.arrived, ...(await Array.fromAsync(opened.rest))];
const alive = () => new AbortController().signal;

test('an early check is not sent again, and every phase of it arrives', async () => {
  const { asked, early } = desk();
  early.ask('8.8.8.8');
  expect(asked).toHaveLength(1);
  expect(await listOf(early.take('8.8.8.8', alive()))).toEqual(['first', 'second']);
  expect(asked).toHaveLength(1);
});

test('it is handed over once: a second check of the same value is a new one', () => {
  const { early } = desk();
  early.ask('8.8.8.8');
  expect(early.take('8.8.8.8', alive())).not.toBeNull();
  expect(early.take('8.8.8.8', alive())).toBeNull();
});

test('a check of another value does not get it, and it is aborted', () => {
  const { asked, early } = desk();
  early.ask('8.8.8.8');
  expect(early.take('1.1.1.1', alive())).toBeNull();
  expect(asked[0]?.signal.aborted).toBe(true);
});

test('it ends with the check that took it', async () => {
  const { asked, early } = desk();
  early.ask('8.8.8.8');
  const mine = new AbortController();
  const opened = early.take('8.8.8.8', mine.signal);
  mine.abort();
  expect(asked[0]?.signal.aborted).toBe(true);
  await listOf(opened);
  expect(asked[0]?.hasEnded).toBe(true);
});

test('a refusal is thrown to the caller that takes it, and causes no unhandled rejection', async () => {
  const { early } = desk(true);
  early.ask('8.8.8.8');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await expect(listOf(early.take('8.8.8.8', alive()))).rejects.toThrow('refused');
});

test('what arrived before the connection broke is handed over, also to a page that loads after the break', async () => {
  // Like the body of a fetch: unread data is lost when the connection breaks.
  const { readable, writable } = new TransformStream<string, string>(
    undefined,
    { highWaterMark: 9 },
    { highWaterMark: 9 },
  );
  const early = createEarlyCheck(async function* () {
    yield* readable;
  });
  const wire = writable.getWriter();
  early.ask('8.8.8.8');
  await wire.write('first');
  await wire.write('second');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await wire.abort(new Error('reset'));
  expect(early.arrived('8.8.8.8')).toEqual(['first', 'second']);
  const opened = early.take('8.8.8.8', alive());
  expect(opened?.arrived).toEqual(['first', 'second']);
  await expect(Array.fromAsync(opened?.rest ?? [])).rejects.toThrow('reset');
});

test('arrived phases can be read before the check is taken, and not after', async () => {
  const { early } = desk();
  early.ask('8.8.8.8');
  expect(early.arrived('8.8.8.8')).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(early.arrived('8.8.8.8')).toEqual(['first', 'second']);
  expect(early.arrived('1.1.1.1')).toBeNull();
  early.take('8.8.8.8', alive());
  expect(early.arrived('8.8.8.8')).toBeNull();
});

test('without an early check there is nothing to take', () => {
  expect(desk().early.take('8.8.8.8', alive())).toBeNull();
});
