import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import { createHasher } from './hash-password.ts';

const hasher = createHasher(systemClock());
const turnUntil = (signal: AbortSignal) => ({ lane: 'open', group: 'test', signal }) as const;
const turn = turnUntil(new AbortController().signal);

test('a hash is argon2id with 19 MiB, two passes and one lane, and a salt of its own', async () => {
  const [one, two] = [await hasher.hash('correct horse', turn), await hasher.hash('correct horse', turn)];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await hasher.matches('correct horse', one, turn)).toBe(true);
  expect(await hasher.matches('Correct horse', one, turn)).toBe(false);
  expect(hasher.isOutdated(one)).toBe(false);
});

test('an account without a password never matches', async () => {
  expect(await hasher.matches('correct horse', null, turn)).toBe(false);
});

test('a hash with the parameters of another day is read, and is outdated', async () => {
  const salt = Buffer.alloc(16, 7);
  const tag = argon2Sync('argon2id', {
    message: 'correct horse',
    nonce: salt,
    tagLength: 32,
    memory: 1_024,
    passes: 1,
    parallelism: 1,
  });
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const old = `$argon2id$v=19$m=1024,t=1,p=1$${text(salt)}$${text(tag)}`;
  expect([await hasher.matches('correct horse', old, turn), hasher.isOutdated(old)]).toEqual([true, true]);
  expect(await hasher.matches('another horse', old, turn)).toBe(false);
});

test('two run, twenty wait and the rest is refused at once with 503 and Retry-After', async () => {
  const all = await Promise.allSettled(Array.from({ length: 30 }, () => hasher.hash('correct horse', turn)));
  const refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused.length).toBe(8);
  for (const error of refused) {
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 503, options: { headers: { 'Retry-After': '2' } } });
  }
  expect(await hasher.matches('correct horse', await hasher.hash('correct horse', turn), turn)).toBe(true);
});

test('a password whose request has ended leaves the queue at once, and the next caller takes its place', async () => {
  const running = [hasher.hash('correct horse', turn), hasher.hash('correct horse', turn)];
  const requests = Array.from({ length: 20 }, () => new AbortController());
  const waiting = Promise.allSettled(
    requests.map((each) => hasher.hash('correct horse', turnUntil(each.signal))),
  );
  await expect(hasher.hash('correct horse', turn)).rejects.toMatchObject({ status: 503 });
  for (const each of requests) each.abort(new Error('The caller disconnected.'));
  const next = hasher.hash('correct horse', turn);
  for (const each of await waiting)
    expect(each).toMatchObject({ status: 'rejected', reason: { message: 'The caller disconnected.' } });
  expect(await Promise.all([...running, next])).toHaveLength(3);
});

test('a password whose request has ended before is not hashed', async () => {
  await expect(hasher.hash('correct horse', turnUntil(AbortSignal.abort(new Error('late'))))).rejects.toThrow(
    'late',
  );
});

test('a hash that has begun is finished, also for a request that has ended', async () => {
  const request = new AbortController();
  const begun = hasher.hash('correct horse', turnUntil(request.signal));
  request.abort();
  expect(await hasher.matches('correct horse', await begun, turn)).toBe(true);
});
