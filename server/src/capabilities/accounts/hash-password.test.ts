import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { ServiceError } from '#platform/errors.ts';
import { createHasher } from './hash-password.ts';

const hasher = createHasher();

test('a hash is argon2id with 19 MiB, two passes and one lane, and a salt of its own', async () => {
  const [one, two] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await hasher.matches('correct horse', one)).toBe(true);
  expect(await hasher.matches('Correct horse', one)).toBe(false);
  expect(hasher.isOutdated(one)).toBe(false);
});

test('an account without a password never matches', async () => {
  expect(await hasher.matches('correct horse', null)).toBe(false);
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
  expect([await hasher.matches('correct horse', old), hasher.isOutdated(old)]).toEqual([true, true]);
  expect(await hasher.matches('another horse', old)).toBe(false);
});

test('two run, twenty wait and the rest is refused at once with 503 and Retry-After', async () => {
  const all = await Promise.allSettled(Array.from({ length: 30 }, () => hasher.hash('correct horse')));
  const refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused.length).toBe(8);
  for (const error of refused) {
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 503, options: { headers: { 'Retry-After': '2' } } });
  }
  expect(await hasher.matches('correct horse', await hasher.hash('correct horse'))).toBe(true);
});
