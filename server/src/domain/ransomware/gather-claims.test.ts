import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CLAIM_SPAN_MS, gatherClaims } from './gather-claims.ts';
import { readVictim } from './victim.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2024, 0, 1);

const post = (title: string, day = 0, website?: string) => {
  const victim = readVictim(title, website);
  if (victim === null) throw new Error(`no victim in ${title}`);
  return { ...victim, discoveredAtMs: START_MS + day * DAY_MS, order: `${title}\n${website ?? ''}` };
};
const sizes = (posts: readonly ReturnType<typeof post>[]) =>
  gatherClaims(posts)
    .map((claim) => claim.length)
    .sort((a, b) => b - a);

describe('posts of one group become claims', () => {
  test('the same domain is one claim, however it is written, from its earliest date on', () => {
    const [claim] = gatherClaims([
      post('acme.com', 9),
      post('https://www.ACME.com/', 3),
      post('Acme', 5, 'shop.acme.com'),
    ]);
    expect(claim).toHaveLength(3);
    expect(claim?.[0]?.discoveredAtMs).toBe(START_MS + 3 * DAY_MS);
  });

  test('a post without a domain joins by its name', () => {
    expect(sizes([post('Super Vac', 0), post('SUPER VAC', 0, 'supervac.com')])).toEqual([2]);
  });

  test('two domains are two victims, also under one name', () => {
    expect(sizes([post('Apex', 0, 'apex.com'), post('Apex', 1, 'apex.de')])).toEqual([1, 1]);
  });

  test('after 365 days a post is a new claim', () => {
    expect(sizes([post('acme.com', 0), post('acme.com', 365)])).toEqual([2]);
    expect(sizes([post('acme.com', 0), post('acme.com', 366)])).toEqual([1, 1]);
    // The span runs from the first post, so the third, after 600 days, is a claim of its own.
    expect(sizes([post('acme.com', 0), post('acme.com', 300), post('acme.com', 600)])).toEqual([2, 1]);
  });

  test('hidden names never meet', () => {
    expect(sizes([post('S******'), post('S******', 1), post('???????', 1)])).toEqual([1, 1, 1]);
  });

  test('200 near-twins stay apart', () => {
    const twins = Array.from({ length: 20 }, (_, n) => [
      post(`Twin ${n} Inc`),
      post(`Twin ${n} Ltd`),
      post(`Twín ${n} Inc`),
      post(`Twin & ${n} Inc`),
      post(`twin-${n}.com`),
      post(`twin-${n}.de`),
      post(`twin${n}.com`),
      post(`twin${n}.co...`),
      post(`twin${n}.screenconnect.com`),
      post(`Twin ${n} Holding`, 0, 'https://gofile.io/d/1'),
    ]).flat();
    expect(twins).toHaveLength(200);
    expect(gatherClaims(twins)).toHaveLength(200);
  });

  test('the same posts give the same claims in any order', () => {
    const titles = ['acme.com', 'Acme', 'ACME', 'acme.de', 'Beta', 'beta.org', 'S****'];
    const posts = fc.array(
      fc.tuple(
        fc.constantFrom(...titles),
        fc.integer({ min: 0, max: 900 }),
        fc.constantFrom(undefined, 'acme.com'),
      ),
      { maxLength: 12 },
    );
    const shape = (given: readonly ReturnType<typeof post>[]) =>
      gatherClaims(given)
        .map((claim) => claim.map(({ order, discoveredAtMs }) => `${discoveredAtMs} ${order}`).join('|'))
        .sort();
    fc.assert(
      fc.property(posts, (said) => {
        const made = said.map(([title, day, website]) => post(title, day, website));
        expect(shape(made.toReversed())).toEqual(shape(made));
      }),
      { numRuns: 200 },
    );
  });

  test('every claim fits into its span', () => {
    const claims = gatherClaims(Array.from({ length: 50 }, (_, n) => post('acme.com', n * 40)));
    for (const claim of claims)
      expect((claim.at(-1)?.discoveredAtMs ?? 0) - (claim[0]?.discoveredAtMs ?? 0)).toBeLessThanOrEqual(
        CLAIM_SPAN_MS,
      );
  });
});
