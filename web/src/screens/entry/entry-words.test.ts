import { Conflict, Forbidden, InvalidRequest, RateLimited, Unauthorized, Unavailable } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { entryFailure, isLinkEnded } from './entry-words.ts';

const of = { error: 'x', requestId: 'req_1' };
const refusedField = (path: string, message: string) =>
  new InvalidRequest({ ...of, status: 400, message: `${path}: ${message}`, details: [{ path, message }] });

describe('a refusal of the service', () => {
  test.each([
    [new Unauthorized({ ...of, status: 401, message: 'The address or the password is wrong.' })],
    [new Forbidden({ ...of, status: 403, message: 'Registration is closed here.' })],
    [new Conflict({ ...of, status: 409, message: 'This service cannot send email.' })],
    [new Unavailable({ ...of, status: 503, message: 'Too many people are signing in right now.' })],
    [new RateLimited({ ...of, status: 429, message: 'Too many letters were asked for.' })],
  ])('is told in its own words: %s', (error) => {
    expect(entryFailure('Registering')(error, 0)).toMatchObject({
      detail: error.message,
      requestId: 'req_1',
    });
  });

  test('of a field has the words without the name of the field', () => {
    const message = 'A password has 10 to 128 characters.';
    expect(entryFailure('Registering')(refusedField('password', message), 0).detail).toBe(message);
  });

  test('of too many sign-in attempts says what to do and when to try again', () => {
    const message =
      'Too many sign-in attempts for this email address from new devices. Sign in on a device that you used before, or with a passkey, if you have one. Try again in 48 minutes.';
    const error = new RateLimited({ ...of, status: 429, message, retryAfterMs: 2_880_000 });
    expect(entryFailure('Signing in')(error, 0)).toMatchObject({
      title: 'Too many attempts',
      detail: message,
      retryAtMs: 2_880_000,
    });
  });

  test('with a time to wait counts down', () => {
    const error = new RateLimited({ ...of, status: 429, message: 'Wait.', retryAfterMs: 30_000 });
    expect(entryFailure('Signing in')(error, 1_000)).toMatchObject({ kind: 'limited', retryAtMs: 31_000 });
  });
});

describe('a link that does not work any more', () => {
  test('is told apart from a password that is refused', () => {
    const ended = new InvalidRequest({ ...of, status: 400, message: 'This link was used.' });
    expect(isLinkEnded(ended)).toBe(true);
    expect(isLinkEnded(refusedField('token', 'Send the token.'))).toBe(true);
    expect(isLinkEnded(refusedField('password', 'This password is breached.'))).toBe(false);
    expect(isLinkEnded(new Unauthorized({ ...of, status: 401, message: 'Wrong.' }))).toBe(false);
  });
});
