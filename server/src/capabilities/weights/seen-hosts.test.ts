import { expect, test } from 'vitest';
import { SeenHosts } from './seen-hosts.ts';

test('remembers every host, through several enlargements', () => {
  const seen = new SeenHosts();
  const hosts = Array.from({ length: 200_000 }, (_, at) => `host-${at.toString(36)}.example.com`);
  expect(hosts.every((host) => seen.add(host))).toBe(true);
  expect(hosts.some((host) => seen.add(host))).toBe(false);
  expect(seen.size).toBe(hosts.length);
});
