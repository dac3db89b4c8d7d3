import { expect, test } from 'vitest';
import { z } from 'zod';
import { freshMsLeft, outcomeOf, readRecord, writeRecord } from './answer-record.ts';

const schema = z.object({ name: z.string().max(10) });
const HOUR_MS = 3_600_000;

test('a written record can be read', () => {
  const found = { fetchedAtMs: 5, freshMs: 10, value: { name: 'x' } };
  const none = { fetchedAtMs: 5, freshMs: 10, nothing: 'absent' } as const;
  expect(readRecord(writeRecord(found), schema)).toEqual(found);
  expect(readRecord(writeRecord(none), schema)).toEqual(none);
});

test.each([
  ['not JSON', '{"format":1,'],
  ['not a record', '"text"'],
  ['of another format', '{"format":2,"fetchedAtMs":1,"freshMs":1,"value":{"name":"x"}}'],
  ['of an older schema', '{"format":1,"fetchedAtMs":1,"freshMs":1,"value":{"title":"x"}}'],
  ['past its bounds', '{"format":1,"fetchedAtMs":1,"freshMs":1,"value":{"name":"xxxxxxxxxxxxx"}}'],
  ['without an answer', '{"format":1,"fetchedAtMs":1,"freshMs":1}'],
  ['of an unknown kind', '{"format":1,"fetchedAtMs":1,"freshMs":1,"nothing":"clean"}'],
])('a record that is %s is a miss', (_, text) => {
  expect(readRecord(text, schema)).toBeNull();
});

test('a record is fresh for its time, also from a clock slightly ahead, but not from one far ahead', () => {
  const record = { fetchedAtMs: 10 * HOUR_MS, freshMs: HOUR_MS, value: { name: 'x' } };
  expect(freshMsLeft(record, 10 * HOUR_MS + 1)).toBe(HOUR_MS - 1);
  expect(freshMsLeft(record, 11 * HOUR_MS)).toBe(0);
  expect(freshMsLeft(record, 10 * HOUR_MS - 30_000)).toBe(HOUR_MS);
  expect(freshMsLeft(record, 9 * HOUR_MS)).toBe(0);
});

test('a cached failure of a target is missing, never absent', () => {
  expect(outcomeOf({ fetchedAtMs: 1, freshMs: 1, nothing: 'failed' }, false)).toEqual({
    state: 'missing',
    reason: 'failed',
  });
  expect(outcomeOf({ fetchedAtMs: 1, freshMs: 1, nothing: 'absent' }, false)).toEqual({
    state: 'absent',
    fetchedAtMs: 1,
  });
});
