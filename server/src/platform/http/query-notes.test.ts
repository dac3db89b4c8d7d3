import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { atMost } from '#platform/request-fields.ts';
import { PUBLIC, plainRoute, recordedGates, testApp } from '#test/http-app.ts';
import { parameterNames } from './query-notes.ts';

const query = z.object({ limit: atMost(100, 25), search: z.string().max(20).optional() });
const app = testApp(
  [
    plainRoute({ path: '/list', policy: PUBLIC, query }),
    plainRoute({ path: '/bare', policy: PUBLIC }),
    plainRoute({ path: '/page', policy: { ...PUBLIC, class: 'pages' } }),
  ],
  { gates: recordedGates().gates },
);
afterAll(() => app.close());

const headersOf = async (url: string) => {
  const { headers } = await app.inject({ url });
  return [headers['x-assay-ignored'], headers['x-assay-adjusted']];
};

describe('query parameters that were not used as they were sent', () => {
  test.each([
    ['/list?search=a&limit=100', undefined, undefined],
    ['/list?cursor=zzz&page=2', 'cursor, page', undefined],
    ['/list?limit=100000&cursor=zzz', 'cursor', 'limit=100'],
    ['/list?limit=abc&cursor=zzz', 'cursor', undefined],
    ['/bare?x=1', 'x', undefined],
    ['/page?tab=2', undefined, undefined],
  ])('%s', async (url, ignored, adjusted) => expect(await headersOf(url)).toEqual([ignored, adjusted]));

  test('a name from the caller cannot break the header', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `p${n}=1`).join('&');
    expect((await headersOf(`/bare?${many}`))[0]).toHaveLength('p0, '.length * 10 - 2);
    expect((await headersOf(`/bare?a%0d%0ab%ff=1&${'n'.repeat(500)}=1`))[0]).toMatch(/^[\w%, .-]{1,130}$/);
  });

  test('a schema that takes any name ignores none', () => {
    expect(parameterNames(z.looseObject({ a: z.string().max(1) }))).toBeNull();
    expect(parameterNames(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]))).toEqual(
      new Set(['a', 'b']),
    );
  });
});
