import { Forbidden, NetworkFailure, RateLimited, Unauthorized, Unavailable } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { keyPairFailure } from './key-pair-words.ts';

const of = { error: 'x', requestId: 'req_1' };

describe('a refused sign-in', () => {
  test('does not say which half was wrong, and keeps the request id', () => {
    const failure = keyPairFailure(new Unauthorized({ ...of, status: 401, message: 'Invalid API key' }), 0);
    expect(failure).toMatchObject({ title: 'This key pair is not valid', requestId: 'req_1' });
    expect(failure.detail).not.toContain('Invalid API key');
  });

  test('from an address that is not allowed says so in the words of the service', () => {
    const message = 'This key may not be used from 198.51.100.7.';
    expect(keyPairFailure(new Forbidden({ ...of, status: 403, message }), 0)).toMatchObject({
      title: 'Signing in is not allowed from here',
      detail: message,
    });
  });

  test('for guessing too often counts down', () => {
    const error = new RateLimited({ ...of, status: 429, message: 'Slow down.', retryAfterMs: 30_000 });
    expect(keyPairFailure(error, 1_000)).toMatchObject({ kind: 'limited', retryAtMs: 31_000 });
  });

  test('by a service that is down or busy does not blame the key pair', () => {
    const away = keyPairFailure(new NetworkFailure({ status: 0, error: 'x', message: 'no' }), 0);
    const busy = keyPairFailure(new Unavailable({ ...of, status: 503, message: 'The database is away.' }), 0);
    expect(away.kind).toBe('offline');
    expect(busy).toMatchObject({ kind: 'busy', detail: 'The database is away.' });
  });
});
