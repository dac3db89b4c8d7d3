import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Domain, type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { createLog } from '#platform/log.ts';
import type { OutboundStreams } from '#platform/outbound/stream-target.ts';
import { createOutboundStreams } from '#platform/outbound/streams.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { type DnsPeer, startDnsPeer } from '#test/dns-peer.ts';
import { eventually } from '#test/eventually.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import {
  bootstrapFile,
  type RdapPeer,
  rdapDomain,
  rdapNetwork,
  startRdapPeer,
} from '#test/peers/rdap-peer.ts';
import { startWhoisPeer, type WhoisPeer, type WhoisSaid } from '#test/peers/whois-peer.ts';
import { createRdapProvider } from './rdap-provider.ts';

const log = createLog('silent');
const time = { ms: 0 };
const clock = { now: () => Date.UTC(2026, 5, 1), monotonic: () => performance.now() + time.ms };
const DAY_MS = 86_400_000;
/** Addresses of the test's own names, so that no real registration matters. */
const NAMES: Readonly<Record<string, string[]>> = {
  'whois.nic.test': ['127.0.0.1'],
  'whois.other.test': ['127.0.0.1'],
  'whois.inside.test': ['10.0.0.1'],
};
const REGISTERED =
  'domain: example.ru\nregistrar: RU-REG\nnserver: ns1.example.ru.\ncreated: 2001-02-03T00:00:00Z\n';

let peer: RdapPeer;
let whois: WhoisPeer;
let dns: DnsPeer;
let outbound: Outbound;
let streams: OutboundStreams;
let whoisSays: Record<string, WhoisSaid>;

beforeEach(async () => {
  time.ms = 0;
  whoisSays = { ru: 'refer: whois.nic.test\n', 'example.ru': REGISTERED };
  peer = await startRdapPeer();
  whois = await startWhoisPeer((question) => whoisSays[question] ?? 'No entries found.\n');
  dns = await startDnsPeer((type, name) => (type === 'A' ? (NAMES[name] ?? 'NXDOMAIN') : []));
  const options = {
    log,
    clock,
    allow: [`127.0.0.1/32:${peer.port}`, `127.0.0.1/32:${whois.port}`],
    dnsServers: [dns.server],
  };
  outbound = createOutbound(options);
  streams = createOutboundStreams(options);
});
afterEach(async () => {
  await Promise.all([outbound.close(), streams.close()]);
  dns.close();
  await Promise.all([peer.close(), whois.close()]);
});

const keyFor = (text: string): Ip | Domain => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || (parsed.indicator.kind !== 'ip' && parsed.indicator.kind !== 'domain'))
    throw new Error(text);
  return parsed.indicator;
};
const make = () =>
  createRdapProvider({
    outbound,
    streams,
    clock,
    bootstrapUrl: peer.bootstrapUrl,
    whoisRoot: `127.0.0.1:${whois.port}`,
    whoisPort: whois.port,
  });
const ask = (text: string, provider = make(), deadlineMs = 30_000) =>
  provider.ask(keyFor(text), { signal: AbortSignal.timeout(60_000), deadlineMs });
const failure = (kind: string) => expect.objectContaining({ kind });
const refusal = (reason: string) => expect.objectContaining({ reason });
const asked = (pattern: RegExp) => peer.requests.filter((each) => pattern.test(each));

describe('RDAP', () => {
  test('a host name is looked up by its registered domain, at its registry', async () => {
    peer.answers.set('domain/example.com', { json: rdapDomain('example.com') });
    const { value } = await ask('www.deep.example.com');
    expect(value).toMatchObject({ registrar: 'Example Registrar, Inc.', source: 'rdap' });
    expect(asked(/registry/)).toEqual(['GET /registry/domain/example.com']);
  });

  test('an address of either family is looked up unchanged', async () => {
    peer.answers.set('ip/9.9.9.9', { json: rdapNetwork('9.9.9.0', '9.9.9.255') });
    peer.answers.set('ip/2620:fe::9', {
      json: rdapNetwork('2620:fe::', '2620:fe:0:ffff:ffff:ffff:ffff:ffff'),
    });
    expect((await ask('9.9.9.9')).value?.network?.range).toBe('9.9.9.0 - 9.9.9.255');
    expect((await ask('2620:fe::9')).value?.network?.name).toBe('EXAMPLE-NET');
  });

  test('an unregistered name is absent; so is a public suffix, without a request', async () => {
    expect(await ask('unregistered-name.com')).toEqual({ value: null });
    const suffix: Domain = { kind: 'domain', value: 'co.uk', registrable: null };
    const patience = { signal: AbortSignal.timeout(30_000), deadlineMs: 30_000 };
    expect(await make().ask(suffix, patience)).toEqual({ value: null });
    expect(asked(/uk/)).toEqual([]);
    expect(whois.questions).toEqual([]);
  });

  test('an address that is not public is not looked up', async () => {
    await expect(ask('10.0.0.1')).rejects.toEqual(failure('refused'));
    expect(peer.requests).toEqual([]);
  });

  test('a redirect is followed, and never to an address that is not public', async () => {
    peer.answers.set('domain/example.com', { redirect: `${peer.registryUrl}domain/moved` });
    peer.answers.set('domain/moved', { json: rdapDomain('example.com') });
    peer.answers.set('domain/example.net', { redirect: 'http://127.0.0.1/' });
    expect((await ask('example.com')).value?.handle).toBe('D1-TEST');
    await expect(ask('example.net')).rejects.toEqual(refusal('address'));
    peer.answers.set('domain/moved', { redirect: `${peer.registryUrl}domain/moved` });
    await expect(ask('example.com')).rejects.toEqual(refusal('redirect'));
  });

  test.each([
    [429, 'upstream'],
    [500, 'upstream'],
    [403, 'upstream'],
    [400, 'target'],
    [501, 'target'],
  ])('status %i is a failure of the %s, never an absent name', async (status, kind) => {
    peer.answers.set('domain/example.com', { status });
    await expect(ask('example.com')).rejects.toEqual(failure(kind));
  });

  test('ten megabytes, endless nesting and invalid JSON are failures, in bounded time', async () => {
    const provider = make();
    const hostile = [Buffer.alloc(10 * 1024 * 1024, ' '), '{"entities":'.repeat(30_000), '<html>', ''];
    for (const text of hostile) {
      peer.answers.set('domain/example.com', { text });
      await expect(ask('example.com', provider)).rejects.toThrow();
    }
    peer.answers.set('domain/example.com', {
      text: `{"objectClassName":"domain","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    });
    expect((await ask('example.com', provider)).value?.registrar).toBeNull();
    peer.mode = 'flood';
    await expect(ask('example.com', provider)).rejects.toEqual(refusal('too_large'));
    peer.mode = 'hang';
    const started = performance.now();
    await expect(ask('example.com', provider, 300)).rejects.toEqual(refusal('deadline'));
    if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(1_500);
  });

  test('an answer gives observations of registrar and name servers', async () => {
    peer.answers.set('domain/example.com', { json: rdapDomain('example.com') });
    const provider = make();
    const { value } = await ask('www.example.com', provider);
    if (value === null) throw new Error('nothing was found');
    expect(provider.observe?.(keyFor('www.example.com'), value)).toEqual([
      { relation: 'registrar', pivot: 'example registrar, inc.', subject: 'example.com', recordType: '' },
      { relation: 'nameserver', pivot: 'ns1.example.net', subject: 'example.com', recordType: 'NS' },
      { relation: 'nameserver', pivot: 'ns2.example.net', subject: 'example.com', recordType: 'NS' },
    ]);
    expect(provider.observe?.(keyFor('9.9.9.9'), value)).toEqual([]);
  });
});

describe('the bootstrap', () => {
  test('is downloaded once a day for all lookups, and then only if it changed', async () => {
    peer.answers.set('domain/example.com', { json: rdapDomain('example.com') });
    const provider = make();
    expect(provider.upstreamOf(keyFor('example.com'))).toBe('bootstrap');
    await Promise.all([ask('example.com', provider), ask('a.com', provider), ask('b.net', provider)]);
    expect(asked(/dns\.json/)).toHaveLength(1);
    expect(provider.upstreamOf(keyFor('example.com'))).toBe(`127.0.0.1:${peer.port}`);
    expect(provider.upstreamOf(keyFor('example.ru'))).toBe('.ru');
    time.ms += DAY_MS;
    await ask('example.com', provider);
    await eventually('asked again', 2_000, () => asked(/dns\.json/).length === 2);
    await ask('example.com', provider);
    expect(asked(/dns\.json/)).toHaveLength(2);
  });

  test('the last good one is used when a newer one is garbage, gone or too large', async () => {
    peer.answers.set('domain/example.com', { json: rdapDomain('example.com') });
    const provider = make();
    await ask('example.com', provider);
    const bad = ['{}', '<html>', bootstrapFile([]), `"${'x'.repeat(3 * 1024 * 1024)}"`, undefined];
    for (const text of bad) {
      if (text === undefined) peer.files.delete('dns.json');
      else peer.files.set('dns.json', text);
      const before = asked(/dns\.json/).length;
      // Asks repeatedly: while the previous download still runs, no second one starts.
      await eventually('asked again', 2_000, async () => {
        time.ms += DAY_MS;
        expect((await ask('example.com', provider)).value).not.toBeNull();
        return asked(/dns\.json/).length > before;
      });
      expect((await ask('example.com', provider)).value).not.toBeNull();
    }
  });

  test('without any file lookups fail, the download is not repeated for each, and a later one succeeds', async () => {
    const good = peer.files.get('dns.json') ?? '';
    peer.files.set('dns.json', '{"version":"1.0","services":"none"}');
    peer.answers.set('domain/example.com', { json: rdapDomain('example.com') });
    const provider = make();
    await expect(ask('example.com', provider)).rejects.toEqual(failure('upstream'));
    await expect(ask('example.com', provider)).rejects.toEqual(failure('upstream'));
    expect(asked(/dns\.json/)).toHaveLength(1);
    expect(whois.questions).toEqual([]);
    peer.files.set('dns.json', good);
    // A slow answer after a start blocks all registries for seconds, not for the minute that an old file can bridge.
    time.ms += 5_000;
    expect((await ask('example.com', provider)).value).not.toBeNull();
  });

  test('a registry on this machine is not queried', async () => {
    peer.files.set(
      'dns.json',
      bootstrapFile([
        [['com'], ['http://127.0.0.1:9/']],
        [['net'], ['http://localhost/']],
      ]),
    );
    const provider = make();
    await expect(ask('example.com', provider)).rejects.toEqual(refusal('port'));
    await expect(ask('example.net', provider)).rejects.toEqual(refusal('address'));
  });
});

describe('WHOIS, where a registry has no RDAP', () => {
  test('the root names the server of the zone, which is queried; the root is queried once a day', async () => {
    const provider = make();
    expect((await ask('www.example.ru', provider)).value).toMatchObject({
      registrar: 'RU-REG',
      createdDate: '2001-02-03T00:00:00.000Z',
      nameServers: ['ns1.example.ru'],
      source: 'whois',
    });
    expect(await ask('nobody-has-this.ru', provider)).toEqual({ value: null });
    expect(whois.questions).toEqual(['ru', 'example.ru', 'nobody-has-this.ru']);
    time.ms += DAY_MS;
    await ask('example.ru', provider);
    expect(whois.questions.filter((each) => each === 'ru')).toHaveLength(2);
  });

  test('one further referral is followed, a circle is not', async () => {
    const answers: WhoisSaid[] = ['refer: whois.other.test\n', REGISTERED];
    Object.defineProperty(whoisSays, 'example.ru', { get: () => answers.shift() ?? '' });
    expect((await ask('example.ru')).value?.registrar).toBe('RU-REG');
    const circle: WhoisSaid[] = ['refer: whois.other.test\n', 'refer: whois.nic.test\n', REGISTERED];
    Object.defineProperty(whoisSays, 'loop.ru', { get: () => circle.shift() ?? '' });
    await expect(ask('loop.ru')).rejects.toEqual(failure('target'));
    expect(circle).toHaveLength(1);
    whoisSays['self.ru'] = 'refer: whois.nic.test\n';
    await expect(ask('self.ru')).rejects.toEqual(failure('target'));
    expect(whois.questions.filter((each) => each === 'self.ru')).toHaveLength(1);
  });

  test.each([
    ['an address', 'refer: 127.0.0.1\n', failure('target')],
    ['another port', 'refer: whois.nic.test:25\n', failure('target')],
    ['this machine by name', 'refer: localhost\n', failure('target')],
    ['nobody', 'domain: RU\nstatus: ACTIVE\n', failure('target')],
    ['a name that leads to a private address', 'refer: whois.inside.test\n', refusal('address')],
    ['a name without an address', 'refer: whois.nowhere.test\n', refusal('dns')],
  ])('a referral to %s is not followed', async (_, said, wanted) => {
    whoisSays.ru = said;
    await expect(ask('example.ru')).rejects.toEqual(wanted);
    expect(whois.questions).toEqual(['ru']);
  });

  test.each([
    ['never stops', { never: 'stops' } as const, refusal('too_large')],
    ['never answers', { never: 'answers' } as const, refusal('deadline')],
    ['says nothing', '', failure('target')],
    ['has no line end', 'A'.repeat(60_000), failure('target')],
    ['sends bytes that are not text', Buffer.alloc(60_000, 0xff), failure('target')],
  ])('a server that %s is a failure within the deadline', async (_, said, wanted) => {
    whoisSays['example.ru'] = said;
    const started = performance.now();
    // In the short lane only the server that never answers gets a short deadline, which would hide the other failures.
    const isSilent = typeof said === 'object' && 'never' in said && said.never === 'answers';
    await expect(ask('example.ru', make(), isSilent ? 500 : bySize(30_000, 500))).rejects.toEqual(wanted);
    if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(1_500);
  });

  test('an answer in Latin-1 is decoded', async () => {
    whoisSays['example.ru'] = Buffer.from(
      'registrar: Caf\u00e9 Regist\u00edr\ncreated: 2001-02-03\n',
      'latin1',
    );
    expect((await ask('example.ru')).value?.registrar).toBe('Caf\u00e9 Regist\u00edr');
  });
});
