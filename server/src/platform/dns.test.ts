import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { type BadDnsMode, type BadDnsPeer, startBadDnsPeer } from '#test/peers/bad-dns-peer.ts';
import { systemClock } from './clock.ts';
import { createDns, type Dns, DnsError } from './dns.ts';

const clock = systemClock();
let peer: BadDnsPeer;
let dns: Dns;

beforeAll(async () => {
  peer = await startBadDnsPeer();
});
beforeEach(() => {
  dns = createDns({ servers: [peer.server], clock });
});
afterAll(() => peer.close());

/** Long, because the server answers at once and no test waits until the deadline. */
const DEADLINE = { deadlineMs: 20_000 };
const SHORT = { deadlineMs: 400 };
const failure = async (asking: Promise<unknown>): Promise<{ kind: string; ms: number }> => {
  const startedMs = clock.monotonic();
  const error = await asking.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DnsError)) throw new Error(`Not a DnsError: ${String(error)}`);
  return { kind: error.kind, ms: clock.monotonic() - startedMs };
};

describe('an answer', () => {
  test('has its records and its TTL', async () => {
    peer.mode = 'answer';
    expect(await dns.resolve('Shop.Example.com.', 'A', DEADLINE)).toEqual({
      state: 'found',
      records: ['45.83.64.7'],
      ttlS: 60,
    });
    expect(peer.asked.at(-1)).toMatchObject({ name: 'shop.example.com', hasEdns: true });
  });

  test('an empty result for a type is an answer', async () => {
    peer.mode = 'answer';
    expect(await dns.resolve('example.com', 'MX', DEADLINE)).toEqual({
      state: 'absent',
      isName: true,
      ttlS: null,
    });
  });

  test('a server that does not know EDNS is asked without it', async () => {
    peer.mode = 'no-edns';
    expect((await dns.resolve('example.com', 'A', DEADLINE)).state).toBe('found');
    expect(peer.asked.slice(-2).map(({ hasEdns }) => hasEdns)).toEqual([true, false]);
  });

  test('a truncated answer is fetched over TCP, and at most 200 records are kept', async () => {
    peer.mode = 'many-records';
    const answer = await dns.resolve('example.com', 'A', DEADLINE);
    expect(answer.state === 'found' && answer.records.length).toBe(200);
  });

  test('a forged answer with another id or question is ignored, and the true one after it is used', async () => {
    peer.mode = 'forged-then-true';
    expect(await dns.resolve('example.com', 'A', DEADLINE)).toMatchObject({ records: ['45.83.64.7'] });
  });

  test('records of another name are ignored', async () => {
    peer.mode = 'other-owner';
    expect((await dns.resolve('example.com', 'A', DEADLINE)).state).toBe('absent');
  });

  test('a name of hostile bytes comes out printable', async () => {
    peer.mode = 'hostile-name';
    expect(await dns.resolve('example.com', 'NS', DEADLINE)).toMatchObject({
      records: ['\\027\\0913m.a\\046b\\013\\010'],
    });
  });
});

describe('every reply of a server is bounded', () => {
  test.each<[BadDnsMode, string]>([
    ['servfail', 'servfail'],
    ['refused', 'refused'],
    ['compression-loop', 'garbage'],
    ['forward-pointer', 'garbage'],
    ['count-lies', 'garbage'],
    ['cut-off', 'garbage'],
    ['short-address', 'garbage'],
    ['alias-loop', 'servfail'],
    ['long-alias', 'servfail'],
    ['tcp-hangup', 'garbage'],
    ['tcp-refused', 'garbage'],
    ['tcp-truncated', 'garbage'],
    ['tcp-flood', 'garbage'],
  ])('%s fails at once as %s', async (mode, kind) => {
    peer.mode = mode;
    const failed = await failure(dns.resolve('example.com', 'A', DEADLINE));
    expect(failed.kind).toBe(kind);
    expectWithin(failed.ms, 2_000);
  });

  test.each<BadDnsMode>(['silent', 'wrong-id', 'wrong-question', 'no-response-bit'])(
    '%s counts as no reply and ends with the deadline',
    async (mode) => {
      peer.mode = mode;
      const failed = await failure(dns.resolve('example.com', 'A', SHORT));
      expect(failed.kind).toBe('timeout');
      expectWithin(failed.ms, 1_500);
    },
  );

  test('a silent connection ends with the deadline', async () => {
    peer.mode = 'tcp-silent';
    const failed = await failure(dns.resolve('example.com', 'A', { deadlineMs: bySize(3_000, 400) }));
    // Not `timeout`: the server answered over UDP, and the owner of the zone decides that the answer needs TCP.
    expect(failed.kind).toBe('slow');
    expectWithin(failed.ms, 1_500);
  });

  test('random bytes in place of an answer raise a DnsError and no other exception', async () => {
    peer.mode = 'noise';
    for (let i = 0; i < 50; i += 1) {
      const end = await dns.resolve('example.com', 'A', { deadlineMs: 60 }).catch((error: unknown) => error);
      if (end instanceof Error) expect(end).toBeInstanceOf(DnsError);
    }
  });

  test('64 KiB of text is one record; text with wrong lengths is no record', async () => {
    peer.mode = 'huge-text';
    const answer = await dns.resolve('example.com', 'TXT', DEADLINE);
    expect(answer.state === 'found' && answer.records[0]?.length).toBe(64_007);
    peer.mode = 'broken-text';
    expect((await failure(dns.resolve('example.com', 'TXT', DEADLINE))).kind).toBe('garbage');
  });
});

describe('attribution of failures', () => {
  test('a silent zone does not count against a server that answers for other zones', async () => {
    peer.mode = ({ name }) => (name === 'slow.example.com' ? 'silent' : 'answer');
    // Long enough for the server to answer a probe, which shows that only the zone is silent.
    const ask = { deadlineMs: bySize(5_000, 1_000) };
    expect((await failure(dns.resolve('slow.example.com', 'A', ask))).kind).toBe('slow');
  });

  test('a refusal by a server that answers other queries counts for the name only', async () => {
    peer.mode = ({ name }) => (name === 'blocked.example.com' ? 'refused' : 'answer');
    await dns.resolve('example.com', 'A', DEADLINE);
    expect((await failure(dns.resolve('blocked.example.com', 'A', DEADLINE))).kind).toBe('servfail');
  });

  test('a second server answers when the first is silent, refuses or is not there', async () => {
    const other = await startBadDnsPeer('answer');
    const both = createDns({ servers: [peer.server, other.server], clock });
    for (const mode of ['silent', 'refused', 'servfail', 'cut-off'] as const) {
      peer.mode = mode;
      expect((await both.resolve('example.com', 'A', DEADLINE)).state).toBe('found');
    }
    const nobody = createDns({ servers: ['127.0.0.1:1', other.server], clock });
    expect((await nobody.resolve('example.com', 'A', DEADLINE)).state).toBe('found');
    await other.close();
  });

  test('an abort by the caller ends the query at once', async () => {
    peer.mode = 'silent';
    const { signal } = new AbortController();
    const leaving = AbortSignal.any([signal, AbortSignal.timeout(50)]);
    const ask = { ...DEADLINE, signal: leaving };
    const failed = await failure(dns.resolve('example.com', 'A', ask));
    expect(failed.kind).toBe('aborted');
    expectWithin(failed.ms, 700);
    expect((await failure(dns.resolve('example.com', 'A', ask))).kind).toBe('aborted');
  });
});

describe('which names are queried', () => {
  test.each([
    '',
    'localhost',
    'printer.local',
    'db.internal',
    'abcdefghijklmnop.onion',
    'router.home.arpa',
    'a..com',
    '-a.com',
    'a b.com',
    'a\u0000.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}com`,
    'exämple.com',
    '*.example.com',
  ])('%j is not queried', async (name) => {
    const before = peer.asked.length;
    expect((await failure(dns.resolve(name, 'A', DEADLINE))).kind).toBe('name');
    expect(peer.asked.length).toBe(before);
  });

  test('names with underscores are queried', async () => {
    peer.mode = 'answer';
    expect((await dns.resolve('_dmarc.example.com', 'TXT', DEADLINE)).state).toBe('absent');
  });

  test.each(['nonsense', '127.0.0.1:0', '127.0.0.1:99999', 'example.com:53'])(
    '%s is not the address of a name server',
    (server) => {
      expect(() => createDns({ servers: [server], clock })).toThrow(/not the address of a name server/);
    },
  );
});
