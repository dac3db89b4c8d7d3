import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LiveContext } from '#capabilities/providers/index.ts';
import { checkDeps, DNS, found, gathering, indicatorOf, OTX, WHOIS } from '#test/check-deps.ts';
import type { CheckDeps } from './check-deps.ts';
import { createCheck } from './check-indicator.ts';
import { CheckEvent } from './contract-stream.ts';
import type { DataTrust } from './contract-verdict.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Seen = {
  readonly events: CheckEvent[];
  readonly atMs: Record<string, number>;
  readonly gone: AbortController;
};

/** Runs one stream to its end while the fake time advances by itself. */
async function run(query: string, parts: Partial<CheckDeps> = {}, leaveAfter?: string): Promise<Seen> {
  const seen: Seen = { events: [], atMs: {}, gone: new AbortController() };
  const startedMs = performance.now();
  const { stream } = createCheck(checkDeps(parts));
  const work = stream(indicatorOf(query))({
    signal: seen.gone.signal,
    emit: (event) => {
      seen.events.push(CheckEvent.parse(JSON.parse(JSON.stringify(event))));
      seen.atMs[event.type] = performance.now() - startedMs;
      if (event.type === leaveAfter) seen.gone.abort();
      return !seen.gone.signal.aborted;
    },
  });
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  while (!isDone) await vi.advanceTimersByTimeAsync(50);
  await work;
  return seen;
}
const typesOf = ({ events }: Seen) => events.map(({ type }) => type);
const dataOf = ({ events }: Seen, wanted: CheckEvent['type']) =>
  events.find(({ type }) => type === wanted)?.data as Record<string, unknown>;

const ANSWERS: Partial<LiveContext> = {
  addresses: found({ a: ['45.155.205.9'], aaaa: [] }),
  whois: found({ ...WHOIS, nameServers: [], status: [] }),
  otx: found(OTX),
  dns: found({ ...DNS, a: [...DNS.a], aaaa: [], mx: [...DNS.mx], ns: [...DNS.ns] }),
  scanner: found({ threats: [], matched: null }),
};
const FAILED = { state: 'missing', reason: 'failed' } as const;

describe('trap 17: phases', () => {
  test.each([
    ['evil.com', ['reputation', 'basic', 'insights', 'dns', 'enrichment', 'done']],
    ['http://evil.com/page', ['reputation', 'basic', 'insights', 'dns', 'enrichment', 'done']],
    ['45.155.205.233', ['reputation', 'basic', 'insights', 'enrichment', 'done']],
    ['http://45.155.205.233/page', ['reputation', 'basic', 'insights', 'enrichment', 'done']],
    ['ab'.repeat(32), ['reputation', 'basic', 'insights', 'enrichment', 'done']],
    ['192.168.1.1', ['reputation', 'basic', 'insights', 'enrichment', 'done']],
  ])('%s: exactly these phases in this order', async (query, phases) => {
    expect(typesOf(await run(query, { live: gathering(ANSWERS) }))).toEqual(phases);
  });

  test('without live lookups the phases are the same, except dns, and come at once', async () => {
    const seen = await run('evil.com');
    expect(typesOf(seen)).toEqual(['reputation', 'basic', 'insights', 'enrichment', 'done']);
    expect(seen.atMs.done).toBeLessThan(100);
    expect(dataOf(seen, 'basic')).toEqual({
      geo: null,
      whois: null,
      certificates: null,
      vulnerabilities: null,
    });
  });

  test('the first phase names the outside services that are asked and those that are off; none for a private address (O80)', async () => {
    const lookups = async (query: string, parts: Partial<CheckDeps>) =>
      dataOf(await run(query, parts), 'reputation').lookups;
    const plan = { asked: ['rdap'], off: ['dns'] };
    expect(await lookups('evil.com', { live: gathering({}) })).toEqual(plan);
    expect(await lookups('192.168.1.1', { live: gathering({}) })).toEqual({ asked: [], off: [] });
    expect(await lookups('evil.com', {})).toEqual({ asked: [], off: [] });
  });

  test('each phase has exactly the fields of decisions 3.13, the first one also the verdict and its listings', async () => {
    const seen = await run('45.155.205.233', { live: gathering(ANSWERS) });
    const keys = (type: CheckEvent['type']) => Object.keys(dataOf(seen, type));
    expect(keys('reputation')).toEqual([
      'query',
      'type',
      'malicious',
      'blocklistHits',
      'blocklistListed',
      'sources',
      'network',
      'reputation',
      'verdict',
      'listings',
      'coverage',
      'lookups',
    ]);
    expect(keys('basic')).toEqual(['geo', 'whois', 'certificates', 'vulnerabilities']);
    expect(keys('insights')).toEqual([
      'riskScore',
      'confidence',
      'classification',
      'mitre',
      'asnReputation',
      'dataTrust',
      'evidence',
    ]);
    expect(keys('enrichment')).toEqual(['otx', 'relatedInfrastructure']);
    expect(dataOf(seen, 'done')).toEqual({
      apiVersion: 'v2',
      enrichmentLevel: 'full',
      processingTime: expect.any(Number),
    });
    const name = await run('evil.com', { live: gathering(ANSWERS) });
    expect(Object.keys(dataOf(name, 'dns'))).toEqual([
      'hasSPF',
      'hasDMARC',
      'hasDKIM',
      'nameserverCount',
      'isParked',
      'a',
      'aaaa',
      'mx',
      'ns',
    ]);
    expect(dataOf(await run('ab'.repeat(32)), 'reputation')).toMatchObject({ lookupStatus: 'known' });
  });

  test('a listed network is shown with the points it added; another is shown as not listed', async () => {
    const { asnReputation, riskScore } = dataOf(await run('45.155.205.233'), 'insights') as {
      asnReputation: { score: number };
      riskScore: { factors: { name: string; contribution: number }[] };
    };
    expect(asnReputation).toEqual({ asn: 64_500, listed: true, list: 'list-2', score: 5 });
    expect(riskScore.factors.find(({ name }) => name === 'asn_listed')?.contribution).toBe(5);
    expect('asnReputation' in dataOf(await run('evil.com'), 'insights')).toBe(false);
  });
});

describe('lookups that fail or hang', () => {
  test('a failed provider leaves null and its name, and the phase is sent', async () => {
    const live = gathering({
      ...ANSWERS,
      whois: FAILED,
      dns: FAILED,
      otx: FAILED,
      scanner: FAILED,
      addresses: FAILED,
    });
    const seen = await run('evil.com', { live });
    expect(dataOf(seen, 'reputation').degraded).toEqual(['scanner']);
    expect(dataOf(seen, 'basic')).toMatchObject({ whois: null, geo: null, degraded: ['geo', 'whois'] });
    expect(dataOf(seen, 'dns')).toMatchObject({ hasSPF: null, ns: [], degraded: ['dns'] });
    expect(dataOf(seen, 'enrichment')).toMatchObject({ otx: null, degraded: ['otx'] });
    expect(typesOf(seen).at(-1)).toBe('done');
  });

  test('all lookups hanging: the first phase within 2 s, all of them in order, the end within 8 s', async () => {
    const never = 60_000;
    const all = [
      'addresses',
      'dns',
      'whois',
      'certificates',
      'vulnerabilities',
      'otx',
      'scanner',
      'technologies',
    ];
    const delays = Object.fromEntries(all.map((facet) => [facet, never]));
    const seen = await run('evil.com', { live: gathering(ANSWERS, delays) });
    expect(typesOf(seen)).toEqual(['reputation', 'basic', 'insights', 'dns', 'enrichment', 'done']);
    expect(seen.atMs.reputation).toBeLessThanOrEqual(2_100);
    expect(seen.atMs.insights).toBeLessThanOrEqual(3_100);
    expect(seen.atMs.done).toBeLessThanOrEqual(8_000);
    expect(dataOf(seen, 'basic').degraded).toEqual(['geo', 'whois', 'certificates', 'vulnerabilities']);
  });

  test('a slow lookup delays its own phase only up to its deadline, and the other parts are shown', async () => {
    const seen = await run('evil.com', { live: gathering(ANSWERS, { otx: 6_000, whois: 1_000 }) });
    expect(seen.atMs.reputation).toBeLessThan(200);
    expect(seen.atMs.insights).toBeLessThan(1_200);
    expect(seen.atMs.enrichment).toBeGreaterThan(5_900);
    expect(dataOf(seen, 'basic')).toMatchObject({ whois: { registrar: 'Example Registrar' } });
    expect(dataOf(seen, 'enrichment')).toMatchObject({ otx: { pulseCount: 0 } });
  });

  test('a part that misses its phase comes with the last one; a part that never comes delays that one up to 5 s', async () => {
    const late = await run('evil.com', {
      live: gathering(ANSWERS, { whois: 3_800, vulnerabilities: 60_000 }),
    });
    expect(dataOf(late, 'basic')).toMatchObject({ whois: null, degraded: ['whois', 'vulnerabilities'] });
    expect(dataOf(late, 'enrichment').late).toEqual({
      whois: expect.objectContaining({ registrar: 'Example Registrar' }) as unknown,
    });
    expect(late.atMs.done).toBeGreaterThan(4_900);
    expect(late.atMs.done).toBeLessThan(5_500);
  });

  test('a record that cannot be read is named and delays nothing', async () => {
    const past = () => Promise.reject(new Error('away'));
    const observations = { byPivot: () => Promise.reject(new Error('away')) };
    const seen = await run('45.155.205.233', { live: gathering(ANSWERS), past, observations });
    expect(dataOf(seen, 'enrichment')).toMatchObject({
      timeline: null,
      relatedInfrastructure: null,
      degraded: ['timeline', 'relatedInfrastructure'],
    });
  });
});

test('the answer of a scanner counts in every phase: one verdict for the whole stream', async () => {
  const scanner = found({ threats: ['malware' as const], matched: null });
  const seen = await run('nobody.com', { live: gathering({ ...ANSWERS, scanner }, { scanner: 1_500 }) });
  expect(dataOf(seen, 'reputation')).toMatchObject({ malicious: true, reputation: { malicious: 1 } });
  expect(dataOf(seen, 'insights')).toMatchObject({ evidence: { recommendedAction: 'block' } });
});

test('a reader that disconnects ends the work: the signal reaches the lookups, and no phase follows', async () => {
  const live = gathering(ANSWERS, { otx: 6_000, whois: 3_000 });
  const seen = await run('evil.com', { live }, 'reputation');
  expect(typesOf(seen)).toEqual(['reputation']);
  expect(live.signals[0]?.aborted).toBe(true);
});

test('a breached password is in enrichment of the stream and changes nothing else', async () => {
  const pwned = { hashType: 'sha1' as const, count: 3, corpusUpdatedAt: '2026-07-01T00:00:00.000Z' };
  const seen = await run('12'.repeat(20), { passwords: { find: () => pwned } });
  expect(dataOf(seen, 'enrichment')).toMatchObject({ pwnedPassword: pwned });
  expect(dataOf(seen, 'reputation')).toMatchObject({ malicious: false, lookupStatus: 'unknown' });
});

describe('the verdict comes first', () => {
  const HANGING = { addresses: 60_000, whois: 60_000, certificates: 60_000, otx: 60_000, dns: 60_000 };
  type First = {
    readonly verdict: Record<string, unknown>;
    readonly listings: readonly Record<string, unknown>[];
    readonly coverage: Record<string, unknown>;
  };
  const firstOf = (seen: Seen) => dataOf(seen, 'reputation') as First;

  test.each(['evil.com', '45.155.205.233', 'nobody.com', 'ab'.repeat(32), '192.168.1.1'])(
    '%s: at once even when lookups hang, and insights repeats it to the byte',
    async (query) => {
      const seen = await run(query, { live: gathering(ANSWERS, HANGING) });
      const { riskScore, confidence, classification, evidence, mitre, dataTrust } = dataOf(seen, 'insights');
      expect(firstOf(seen).verdict).toEqual({
        riskScore,
        confidence,
        classification,
        evidence,
        mitre,
        crossCorrelation: expect.objectContaining({ signals: expect.any(Array) }),
        independentSources: (dataTrust as DataTrust).sourceAgreement.count,
      });
      expect(seen.atMs.reputation).toBeLessThan(200);
    },
  );

  test('the matched value, its dates and its points', async () => {
    const { verdict, listings } = firstOf(await run('45.155.205.233'));
    const { factors } = verdict.riskScore as { factors: { name: string; contribution: number }[] };
    expect(listings).toEqual([
      {
        sourceId: 'list-1',
        value: '45.155.205.233',
        matchType: 'exact',
        firstSeen: '2026-08-20T12:00:00.000Z',
        lastSeen: '2026-08-22T11:00:00.000Z',
        stillListedOn: '2026-08-22T11:00:00.000Z',
        contribution: factors.find(({ name }) => name === 'list-1')?.contribution,
      },
    ]);
    expect(listings[0]?.contribution).toBeGreaterThan(0);
    expect(firstOf(await run('nobody.com')).listings).toEqual([]);
  });

  test('a scanner that answers is one more source, and its accusation has no first date', async () => {
    const network = {
      id: 'list-2',
      name: 'Bad networks',
      category: 'hijacked-netblock',
      confidenceBase: 35,
      fresh: true,
    };
    const coverage = { kind: 'domain', sources: 2, listing: 1, fresh: 2, silent: [network] };
    expect(firstOf(await run('evil.com')).coverage).toEqual(coverage);
    const silent = await run('evil.com', { live: gathering(ANSWERS) });
    expect(firstOf(silent).coverage).toEqual({
      ...coverage,
      sources: 3,
      fresh: 3,
      silent: [expect.objectContaining({ id: 'live-scanner', confidenceBase: 95, fresh: true }), network],
    });
    const scanner = found({ threats: ['malware' as const], matched: null });
    const accused = firstOf(await run('evil.com', { live: gathering({ ...ANSWERS, scanner }) }));
    expect(accused.coverage).toEqual({ ...coverage, sources: 3, listing: 2, fresh: 3 });
    expect(accused.listings[1]).toMatchObject({
      sourceId: 'live-scanner',
      value: 'evil.com',
      firstSeen: null,
      lastSeen: '2026-08-22T12:00:00.000Z',
    });
  });
});
