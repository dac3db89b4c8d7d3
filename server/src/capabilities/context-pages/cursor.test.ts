import { expect, test } from 'vitest';
import { ServiceError } from '#platform/errors.ts';
import { readCursor, writeCursor } from './cursor.ts';

const PLACE = { order: 'worst', rank: 85, key: Buffer.from([1, 192, 0, 2, 7]) } as const;
const SUBJECT = 'network 192.0.2.0/24';

test('a cursor is read back as the place it was written for', () => {
  expect(readCursor(SUBJECT, writeCursor(SUBJECT, PLACE))).toEqual(PLACE);
  const unjudged = { order: 'worst', rank: -1, key: Buffer.of(11, 0, 0, 0, 1) } as const;
  expect(readCursor(SUBJECT, writeCursor(SUBJECT, unjudged))).toEqual(unjudged);
});

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const WRITTEN = JSON.parse(Buffer.from(writeCursor(SUBJECT, PLACE), 'base64url').toString()) as unknown[];

test.each([
  ['empty', ''],
  ['no base64', '%%%'],
  ['no JSON', 'aGFsbG8'],
  ['no list', encoded({})],
  ['of another question', writeCursor('network 192.0.3.0/24', PLACE)],
  ['of another version', encoded(WRITTEN.with(0, 2))],
  ['of an unknown order', encoded(WRITTEN.with(2, 'oldest'))],
  ['with a rank that is no whole number', encoded(WRITTEN.with(3, 0.5))],
  ['with a key that is no text', encoded(WRITTEN.with(4, 7))],
  ['too long', encoded([...WRITTEN, 1])],
])('400 with a sentence: a cursor that is %s', (_, text) => {
  try {
    readCursor(SUBJECT, text);
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).status).toBe(400);
    expect((error as ServiceError).options.details).toEqual([
      {
        path: 'cursor',
        message: 'Send next of an answer to the same question, or leave cursor out to begin.',
      },
    ]);
    return;
  }
  throw new Error('The cursor was accepted.');
});
