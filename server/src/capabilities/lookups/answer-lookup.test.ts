import { describe, expect, test } from 'vitest';
import { type MissingReason, missing } from '#capabilities/providers/index.ts';
import { answerLookup } from './answer-lookup.ts';

const AT_MS = Date.UTC(2026, 4, 1);

describe('answerLookup', () => {
  test('what was found is given alone', () => {
    expect(answerLookup('rdap', { state: 'found', value: 7, fetchedAtMs: AT_MS, isStale: false })).toEqual({
      value: 7,
    });
  });

  test('an old answer is given and said to be old', () => {
    expect(answerLookup('rdap', { state: 'found', value: 7, fetchedAtMs: AT_MS, isStale: true })).toEqual({
      value: 7,
      message: 'It could not be asked for now: this is of 2026-05-01T00:00:00.000Z.',
    });
  });

  test('a source that knows nothing is null without a word', () => {
    expect(answerLookup('rdap', { state: 'absent', fetchedAtMs: AT_MS })).toEqual({ value: null });
  });

  test.each(['busy', 'breaker', 'deadline', 'failed', 'cancelled'] satisfies MissingReason[])(
    'one that could not be asked (%s) is null, and never looks like one that knows nothing',
    (reason) => {
      const { value, message } = answerLookup('rdap', missing(reason));
      expect(value).toBeNull();
      expect(message).toMatch(/says nothing about the target: ask again later/);
      expect(message?.length).toBeLessThanOrEqual(300);
    },
  );

  test.each(['off', 'unconfigured'] satisfies MissingReason[])('%s is 503 that says what to do', (reason) => {
    expect(() => answerLookup('intelowl', missing(reason))).toThrow(
      expect.objectContaining({ status: 503, message: expect.stringMatching(/LIVE_PROVIDERS/) }),
    );
  });
});
