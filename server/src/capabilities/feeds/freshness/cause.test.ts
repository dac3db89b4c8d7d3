import { describe, expect, test } from 'vitest';
import { refusalOf, stays } from '#capabilities/datasets/index.ts';
import { causeOf, causeOfProblem, withoutContent } from './cause.ts';

const LOADED = { dataAtMs: 1_800_000_000_000, entries: 12_345 };

describe('the cause of a problem', () => {
  test.each([
    [401, undefined, 'refused'],
    [403, 'ABUSECH_AUTH_KEY', 'refused'],
    [404, undefined, 'gone'],
    [410, undefined, 'gone'],
    [429, undefined, 'busy'],
    [500, undefined, 'publisher'],
    [503, undefined, 'publisher'],
    [302, undefined, 'publisher'],
  ] as const)('status %i with the key %s is %s', (status, key, cause) => {
    expect(causeOfProblem(refusalOf({ status, headers: {} }, key, 0).message)).toBe(cause);
  });

  test.each([
    ['This source needs a key: set ABUSECH_AUTH_KEY.', 'key'],
    ['The publisher did not answer in time. It is asked again later.', 'unreachable'],
    ['The publisher could not be reached: no such name', 'unreachable'],
    [
      'The download was too slow: 12 bytes had arrived at the deadline. It is asked again later.',
      'unreachable',
    ],
    ['The download was cut off or damaged on its way. It is asked again later.', 'unreachable'],
    ['The publisher answered with a web page instead of the list: an error, a login.', 'content'],
    ['The publisher answered with an empty file. It is asked again later.', 'content'],
    ['12 entries are fewer than the 900 this list is known to have.', 'content'],
    ['Rolled back by operator to the content of 2027-01-01 (12 entries).', 'rolled-back'],
    ['The run failed on our side: out of memory', 'ours'],
    ['The download could not be written to the data folder (ENOSPC).', 'ours'],
  ] as const)('%s', (problem, cause) => {
    expect(causeOfProblem(problem)).toBe(cause);
  });

  test('without a stored problem the status says it: never asked, not asked for too long, or too old', () => {
    expect(causeOf('fresh', null, false)).toBeNull();
    expect(causeOf('missing', null, false)).toBe('waiting');
    expect(causeOf('stale', null, true)).toBe('overdue');
    expect(causeOf('stale', null, false)).toBe('old');
    expect(causeOf('failing', 'This source needs a key: set X.', true)).toBe('key');
  });
});

test('the reason leaves out which content stays, because that differs from source to source', () => {
  const reason = 'This source needs a key: set ABUSECH_AUTH_KEY.';
  for (const content of [null, LOADED]) expect(withoutContent(`${reason} ${stays(content)}`)).toBe(reason);
  expect(withoutContent(reason)).toBe(reason);
});
