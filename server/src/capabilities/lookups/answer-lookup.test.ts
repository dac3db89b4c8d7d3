import { describe, expect, test } from 'vitest';
import { type MissingReason, missing } from '#capabilities/providers/index.ts';
import { answerLookup } from './answer-lookup.ts';

const AT_MS = Date.UTC(2026, 4, 1);

describe('answerLookup', () => {
  test('a found value is returned without a message', () => {
    expect(answerLookup('rdap', { state: 'found', value: 7, fetchedAtMs: AT_MS, isStale: false })).toEqual({
      value: 7,
    });
  });

  test('an old answer is returned with a message that gives its time', () => {
    expect(answerLookup('rdap', { state: 'found', value: 7, fetchedAtMs: AT_MS, isStale: true })).toEqual({
      value: 7,
      message: 'The source could not be queried now: this answer is of 2026-05-01T00:00:00.000Z.',
    });
  });

  test('a source without an entry gives null and no message', () => {
    expect(answerLookup('rdap', { state: 'absent', fetchedAtMs: AT_MS })).toEqual({ value: null });
  });

  test.each(['busy', 'breaker', 'deadline', 'underway', 'failed', 'cancelled'] satisfies MissingReason[])(
    'a source that could not be queried (%s) gives null and a message that says so',
    (reason) => {
      const { value, message } = answerLookup('rdap', missing(reason));
      expect(value).toBeNull();
      expect(message).toMatch(/says nothing about the target: try again later/);
      expect(message?.length).toBeLessThanOrEqual(300);
    },
  );

  test.each(['off', 'unconfigured'] satisfies MissingReason[])(
    '%s gives null with the setting that an operator changes, and says that it costs nothing',
    (reason) => {
      expect(answerLookup('rdap', missing(reason))).toEqual({
        value: null,
        message: expect.stringMatching(/LIVE_PROVIDERS/),
        isOff: true,
      });
    },
  );
});
