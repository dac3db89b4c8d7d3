import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Domain, parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createDns } from '#platform/dns.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { type BadDnsMode, type BadDnsPeer, startBadDnsPeer } from '#test/peers/bad-dns-peer.ts';
import { type KnotPeer, startKnotPeer } from '#test/peers/knot-peer.ts';
import { Addresses, DnsFacts } from '../contract-names.ts';
import { ProviderFailure } from '../provider.ts';
import { createAddressesProvider } from './addresses.ts';
import { createDnsProvider } from './dns.ts';

const clock = systemClock();
const KEY = 'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP';
const SERVERS = ['@ NS ns1', '@ NS ns2', 'ns1 A 45.83.64.1', 'ns2 A 45.83.64.2'];

const ZONES = {
  'strict.com': [
    ...SERVERS,
    '@ 30 A 45.83.64.10',
    '@ 30 A 45.83.64.9',
    '@ 7200 AAAA 2a0e:97c0::9',
    '@ MX 20 mx2',
    '@ MX 10 MX1',
    '@ TXT "v=spf1 mx -all"',
    '@ TXT "some-verification=abc"',
    '_dmarc TXT "v=DMARC1; p=reject; sp=none; rua=mailto:d@strict.com"',
    `selector1._domainkey TXT "v=DKIM1; k=rsa; " "p=${KEY}"`,
    'www CNAME @',
    'deep.shop A 45.83.64.77',
    'far CNAME gone.strict.com.',
    `many TXT "${'x'.repeat(250)}"`,
    ...Array.from({ length: 60 }, (_, i) => `crowd A 45.83.65.${i}`),
    ...Array.from({ length: 12 }, (_, i) => `long TXT "${i} ${'y'.repeat(240)}"`),
  ],
  'bare.com': SERVERS,
  'nomail.com': [...SERVERS, '@ A 45.83.64.20', '@ MX 0 .', '@ TXT "v=spf1 -all"'],
  'redirected.com': [
    ...SERVERS,
    '@ TXT "v=spf1 redirect=_spf.strict-mail.com"',
    '_dmarc TXT "v=DMARC1; p=quarantine"',
  ],
  'strict-mail.com': [...SERVERS, '_spf TXT "v=spf1 ip4:45.83.64.0/24 ~all"'],
  'circle.com': [...SERVERS, '@ TXT "v=spf1 redirect=circle.com"'],
  'twice.com': [...SERVERS, '@ TXT "v=spf1 -all"', '@ TXT "v=spf1 ~all"'],
  'anybody.com': [...SERVERS, '@ TXT "v=spf1 +all"'],
  'parked.com': ['@ NS ns1.sedoparking.com.', '@ NS ns2.sedoparking.com.', '@ A 45.83.64.30'],
  'inside.com': [...SERVERS, '@ A 127.0.0.1', '@ A 10.0.0.7'],
} as const;

let knot: KnotPeer;
let bad: BadDnsPeer;
beforeAll(async () => {
  [knot, bad] = await Promise.all([startKnotPeer(ZONES), startBadDnsPeer()]);
});
afterAll(async () => {
  await Promise.all([knot?.close(), bad?.close()]);
});

const domain = (text: string): Domain => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') throw new Error(`'${text}' is no domain.`);
  return parsed.indicator;
};
const providers = (server: string) => {
  const dns = createDns({ servers: [server], clock });
  return { addresses: createAddressesProvider({ dns }), facts: createDnsProvider({ dns }) };
};
const asking = (deadlineMs: number) => ({ signal: new AbortController().signal, deadlineMs });
const factsOf = async (name: string) =>
  (await providers(knot.server).facts.ask(domain(name), asking(20_000))).value;
const addressesOf = (name: string) => providers(knot.server).addresses.ask(domain(name), asking(20_000));

describe('addresses from a real name server', () => {
  test('both families are sorted, and fresh for their TTL, at least a minute', async () => {
    expect(await addressesOf('strict.com')).toEqual({
      value: { a: ['45.83.64.9', '45.83.64.10'], aaaa: ['2a0e:97c0::9'] },
      freshMs: 60_000,
    });
  });

  test('an alias is followed', async () => {
    expect((await addressesOf('www.strict.com')).value?.a).toEqual(['45.83.64.9', '45.83.64.10']);
  });

  test('a missing name and one without an address are absent for the TTL of the zone', async () => {
    expect(await addressesOf('nobody.strict.com')).toEqual({ value: null, freshMs: 120_000 });
    expect((await addressesOf('bare.com')).value).toBeNull();
    expect((await addressesOf('far.strict.com')).value).toBeNull();
  });

  test('fifty of sixty addresses are kept', async () => {
    const { value } = await addressesOf('crowd.strict.com');
    expect(value?.a).toHaveLength(50);
    expect(Addresses.parse(value)).toEqual(value);
  });

  test('the name is observed for each public address', async () => {
    const { addresses } = providers(knot.server);
    const { value } = await addressesOf('strict.com');
    expect(value && addresses.observe?.(domain('strict.com'), value)).toContainEqual({
      relation: 'resolves',
      pivot: '2a0e:97c0::9',
      subject: 'strict.com',
      recordType: 'AAAA',
    });
    const inside = (await addressesOf('inside.com')).value;
    expect(inside?.a).toEqual(['10.0.0.7', '127.0.0.1']);
    expect(inside && addresses.observe?.(domain('inside.com'), inside)).toEqual([]);
  });
});

describe('DNS facts from a real name server', () => {
  test('a strict one has everything, and grade A', async () => {
    const facts = await factsOf('strict.com');
    expect(facts).toEqual({
      hasSPF: true,
      hasDMARC: true,
      hasDKIM: true,
      nameserverCount: 2,
      isParked: false,
      a: ['45.83.64.9', '45.83.64.10'],
      aaaa: ['2a0e:97c0::9'],
      mx: [
        { exchange: 'mx1.strict.com', priority: 10 },
        { exchange: 'mx2.strict.com', priority: 20 },
      ],
      ns: ['ns1.strict.com', 'ns2.strict.com'],
      spf: 'v=spf1 mx -all',
      dmarc: 'v=DMARC1; p=reject; sp=none; rua=mailto:d@strict.com',
      dmarcPolicy: 'reject',
      mxValid: true,
      grade: 'A',
    });
    expect(DnsFacts.parse(facts)).toEqual(facts);
  });

  test('a subdomain takes name servers and the DMARC policy for subdomains from its organization', async () => {
    expect(await factsOf('deep.shop.strict.com')).toMatchObject({
      nameserverCount: 2,
      hasSPF: false,
      hasDMARC: true,
      dmarcPolicy: 'none',
      mxValid: true,
      grade: 'D',
    });
  });

  test.each([
    ['bare.com', { hasSPF: false, hasDMARC: false, hasDKIM: null, mxValid: false, grade: 'F' }],
    ['nomail.com', { mx: [{ exchange: '.', priority: 0 }], mxValid: false, hasSPF: true, grade: 'D' }],
    ['redirected.com', { hasSPF: true, spf: 'v=spf1 redirect=_spf.strict-mail.com', grade: 'B' }],
    ['circle.com', { hasSPF: true, grade: 'E' }],
    ['twice.com', { hasSPF: false, spf: 'v=spf1 -all', grade: 'E' }],
    ['anybody.com', { hasSPF: true, grade: 'F' }],
    ['parked.com', { isParked: true, nameserverCount: 2 }],
  ])('%s', async (name, expected) => {
    expect(await factsOf(name)).toMatchObject(expected);
  });

  test('a name that does not exist is absent', async () => {
    expect(await factsOf('nobody.strict.com')).toBeNull();
  });

  test('the name servers of the zone are observed', async () => {
    const { facts } = providers(knot.server);
    const value = await factsOf('deep.shop.strict.com');
    expect(value && facts.observe?.(domain('deep.shop.strict.com'), value)).toEqual([
      { relation: 'resolves', pivot: '45.83.64.77', subject: 'deep.shop.strict.com', recordType: 'A' },
      { relation: 'nameserver', pivot: 'ns1.strict.com', subject: 'strict.com', recordType: 'NS' },
      { relation: 'nameserver', pivot: 'ns2.strict.com', subject: 'strict.com', recordType: 'NS' },
    ]);
  });

  test('an answer too large for a datagram comes over TCP', async () => {
    const dns = createDns({ servers: [knot.server], clock });
    const answer = await dns.resolve('long.strict.com', 'TXT', { deadlineMs: 20_000 });
    expect(answer.state === 'found' && answer.records.length).toBe(12);
  });
});

describe('a name server that misbehaves', () => {
  const failureOf = async (mode: BadDnsMode, deadlineMs: number): Promise<string[]> => {
    bad.mode = mode;
    const { addresses, facts } = providers(bad.server);
    const kinds = [
      addresses.ask(domain('example.com'), asking(deadlineMs)),
      facts.ask(domain('example.com'), asking(deadlineMs)),
    ];
    return Promise.all(
      kinds.map((each) =>
        each.then(String, (error: unknown) => (error instanceof ProviderFailure ? error.kind : 'defect')),
      ),
    );
  };

  test.each<[BadDnsMode, string]>([
    ['silent', 'upstream'],
    ['refused', 'upstream'],
    ['servfail', 'target'],
    ['compression-loop', 'target'],
    ['alias-loop', 'target'],
    ['cut-off', 'target'],
    ['tcp-flood', 'target'],
  ])('%s is a failure of the %s', async (mode, kind) => {
    // Only silence gets a short deadline, because any failure after the deadline is reported as silence.
    expect(await failureOf(mode, mode === 'silent' ? 800 : 20_000)).toEqual([kind, kind]);
  });

  test('a zone that answers nothing ends in time and is no failure of the resolver', async () => {
    bad.mode = ({ name }) => (name.endsWith('example.com') ? 'silent' : 'answer');
    const startedMs = clock.monotonic();
    const { addresses } = providers(bad.server);
    // Before this deadline the resolver must have answered a probe, else the failure counts as the resolver's.
    const deadlineMs = bySize(5_000, 1_000);
    await expect(addresses.ask(domain('example.com'), asking(deadlineMs))).rejects.toMatchObject({
      kind: 'target',
    });
    expectWithin(clock.monotonic() - startedMs, 1_000);
  });

  test('an SPF redirect into such a zone causes no delay and counts as weak', async () => {
    bad.mode = ({ name, type }) => {
      if (name.endsWith('example.net')) return 'silent';
      return type === 16 && name === 'example.com' ? 'redirect-text' : 'answer';
    };
    const startedMs = clock.monotonic();
    const { facts } = providers(bad.server);
    expect((await facts.ask(domain('example.com'), asking(5_000))).value).toMatchObject({
      hasSPF: true,
      grade: 'E',
    });
    expectWithin(clock.monotonic() - startedMs, 2_500);
  });

  test('one silent selector leaves only DKIM unknown', async () => {
    bad.mode = ({ name }) => (name.includes('_domainkey') ? 'silent' : 'answer');
    const { facts } = providers(bad.server);
    const { value } = await facts.ask(domain('example.com'), asking(bySize(5_000, 1_000)));
    expect(value).toMatchObject({ hasDKIM: null });
  });

  test('one failed query fails the lookup: a missing DMARC answer is not its absence', async () => {
    bad.mode = ({ name }) => (name.startsWith('_dmarc') ? 'servfail' : 'answer');
    const { facts } = providers(bad.server);
    await expect(facts.ask(domain('example.com'), asking(20_000))).rejects.toMatchObject({ kind: 'target' });
  });

  test('one failed family leaves the other, and is tried again soon', async () => {
    bad.mode = ({ type }) => (type === 28 ? 'servfail' : 'answer');
    const { addresses } = providers(bad.server);
    expect(await addresses.ask(domain('example.com'), asking(20_000))).toEqual({
      value: { a: ['45.83.64.7'], aaaa: [] },
      freshMs: 60_000,
    });
    bad.mode = ({ type }) => (type === 1 ? 'servfail' : 'answer');
    await expect(addresses.ask(domain('example.com'), asking(20_000))).rejects.toMatchObject({
      kind: 'target',
    });
  });

  test('text with controls, bidirectional marks and markup becomes one inert line', async () => {
    bad.mode = ({ type, name }) => (type === 16 && name === 'example.com' ? 'hostile-text' : 'answer');
    const { facts } = providers(bad.server);
    const { value } = await facts.ask(domain('example.com'), asking(20_000));
    expect(value).toMatchObject({ hasSPF: false, grade: 'E' });
    expect(value?.spf).toBe('v=spf1 [31m<script>alert(1)</script> -all');
  });

  test('64 KiB of SPF, and names of hostile bytes, are cut to the limits of the contract', async () => {
    const { facts } = providers(bad.server);
    bad.mode = ({ type, name }) => {
      if (type === 16 && name === 'example.com') return 'huge-text';
      return type === 2 ? 'hostile-name' : 'answer';
    };
    const { value } = await facts.ask(domain('example.com'), asking(20_000));
    expect(DnsFacts.parse(value)).toEqual(value);
    expect(value?.spf?.length).toBe(1_024);
    expect(value?.ns).toEqual(['\\027\\0913m.a\\046b\\013\\010']);
  });
});
