import { expect, test } from 'vitest';
import { parseRedisUrl } from './redis-url.ts';

test('one server, with and without credentials', () => {
  expect(parseRedisUrl('redis://127.0.0.1:6379')).toEqual({
    isCluster: false,
    addresses: [{ host: '127.0.0.1', port: 6_379 }],
    credentials: { tls: false },
  });
  expect(parseRedisUrl('rediss://svc:p%40ss@cache.example:6380/2')).toEqual({
    isCluster: false,
    addresses: [{ host: 'cache.example', port: 6_380 }],
    credentials: { tls: true, username: 'svc', password: 'p@ss', database: 2 },
  });
});

test('a cluster names some of its nodes; IPv6 and default ports included', () => {
  expect(parseRedisUrl('redis+cluster://:secret@one:7001,[::1]:7002,three')).toEqual({
    isCluster: true,
    addresses: [
      { host: 'one', port: 7_001 },
      { host: '::1', port: 7_002 },
      { host: 'three', port: 6_379 },
    ],
    credentials: { tls: false, password: 'secret' },
  });
});

test('several hosts without +cluster are refused with the correction', () => {
  expect(() => parseRedisUrl('redis://one:1,two:2')).toThrow(/redis\+cluster/);
});
