import { expect, test } from 'vitest';
import { platformAround } from '#domain/indicator/index.ts';
import { SHIPPED_TABLE } from '#domain/weights/index.ts';
import { PlatformCounts } from './platform-counts.ts';

test('distinct tenants are counted from three on, beside the size that comes with the release', () => {
  const counts = new PlatformCounts();
  const names = ['a.weebly.com', 'www.a.weebly.com', 'b.weebly.com', 'x.c.weebly.com', 'c.weebly.com'];
  const others = ['weebly.com', 'www.weebly.com', 'a.surge.sh', 'b.surge.sh', 'example.org'];
  const unknown = ['a.glitch.me', 'b.glitch.me', 'c.glitch.me'];
  for (const name of [...names, ...others, ...unknown]) counts.add(name);
  expect(counts.platforms()).toEqual([
    { suffix: 'glitch.me', named: 3, size: 0 },
    { suffix: 'weebly.com', named: 4, size: 400 },
  ]);
});

test('every platform with a size is one that tenants are recognised by', () => {
  for (const { suffix } of SHIPPED_TABLE.platforms)
    expect(platformAround(`shop.${suffix}`), suffix).toBe(suffix);
});
