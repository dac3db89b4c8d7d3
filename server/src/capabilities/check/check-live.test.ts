import { describe, expect, test } from 'vitest';
import { missing } from '#capabilities/providers/index.ts';
import { checkDeps, DNS, found, gathering, indicatorOf, NOW_MS, OTX, WHOIS } from '#test/check-deps.ts';
import { createCheck } from './check-indicator.ts';
import { CheckResult, type EnrichmentLevel } from './contract.ts';

const addresses = found({ a: ['45.155.205.9'], aaaa: [] });
const EVERYTHING = {
  addresses,
  whois: found({ ...WHOIS, nameServers: [...WHOIS.nameServers], status: [] }),
  otx: found(OTX),
  dns: found({ ...DNS, a: [...DNS.a], aaaa: [], mx: [...DNS.mx], ns: [...DNS.ns] }),
  technologies: found([{ name: 'nginx', version: null, category: 'server', source: 'header:server' }]),
};

async function ask(
  live: ReturnType<typeof gathering>,
  query: string,
  enrichment: EnrichmentLevel,
): Promise<CheckResult> {
  const { check } = createCheck(checkDeps({ live }));
  const result = await check({ indicator: indicatorOf(query), enrichment, asOfMs: null });
  return CheckResult.parse(JSON.parse(JSON.stringify(result)));
}

describe('levels (contract 2.1 rule 1)', () => {
  test('basic starts no lookup and shows cached answers; standard waits 250 ms, full 3 s and reads local tables (O80)', async () => {
    const live = gathering(EVERYTHING);
    for (const level of ['basic', 'standard', 'full'] as const)
      expect((await ask(live, 'evil.com', level)).enrichmentLevel).toBe(level);
    expect(live.calls).toEqual(['remembered', 'gather standard 250', 'gather full 3000']);
  });

  test('trap 11: basic has no community block, score or trust; standard has nothing of full', async () => {
    const live = gathering(EVERYTHING);
    const basic = await ask(live, 'evil.com', 'basic');
    expect(basic).toMatchObject({ whois: WHOIS, geo: { countryCode: 'NL' }, dataTrust: null });
    for (const key of ['riskScore', 'confidence', 'classification', 'mitre', 'otx', 'dns'])
      expect(key in basic, key).toBe(false);
    const standard = await ask(live, 'evil.com', 'standard');
    for (const key of ['timeline', 'relatedInfrastructure', 'dns', 'technologies'])
      expect(key in standard, key).toBe(false);
    expect(standard.otx).toMatchObject({ pulseCount: 0 });
    expect(standard.otx).not.toHaveProperty('passiveDns');
    const full = await ask(live, 'evil.com', 'full');
    expect(full).toMatchObject({ dns: DNS, technologies: [{ name: 'nginx' }] });
    expect(full.otx).toHaveProperty('passiveDns');
    expect(full.relatedInfrastructure).toMatchObject({ totalRelated: 0 });
    // Without the `past` dependency there is no timeline.
    expect('timeline' in full).toBe(false);
  });

  test('trap 12: a community lookup that fails leaves no key, and a failed lookup is missing, not empty', async () => {
    const failed = { state: 'missing', reason: 'failed' } as const;
    const result = await ask(gathering({ otx: failed, whois: failed }), 'evil.com', 'standard');
    expect('otx' in result).toBe(false);
    expect(result).toMatchObject({ whois: null, certificates: null, vulnerabilities: null });
    expect(result.dataTrust?.completeness.missing).toEqual(
      expect.arrayContaining(['whois', 'otx', 'certificates', 'vulnerabilities', 'dns', 'geo']),
    );
  });

  test('a lookup that goes on behind the answer is pending and missing; one that ended without an answer is only missing (O80)', async () => {
    const live = gathering({
      addresses: missing('underway'),
      whois: missing('underway'),
      otx: missing('deadline'),
      scanner: missing('underway'),
    });
    const standard = await ask(live, 'evil.com', 'standard');
    expect(standard).toMatchObject({ geo: null, whois: null, pending: ['whois', 'geo', 'reputation'] });
    expect(standard.dataTrust?.completeness.missing).toEqual(
      expect.arrayContaining(['whois', 'geo', 'otx', 'reputation']),
    );
    expect('pending' in (await ask(gathering(EVERYTHING), 'evil.com', 'full'))).toBe(false);
  });

  test('without live lookups standard is synchronous, and full has all that the corpus and its record know', async () => {
    const deps = checkDeps({ live: { ...gathering({}), isOn: false } });
    const { check } = createCheck({ ...deps, past: async () => ({ assessments: [] }) as never });
    const query = { indicator: indicatorOf('evil.com'), asOfMs: null } as const;
    expect(check({ ...query, enrichment: 'standard' })).toMatchObject({ enrichmentLevel: 'standard' });
    const full = await check({ ...query, enrichment: 'full' });
    expect(full).toMatchObject({
      enrichmentLevel: 'full',
      blocklistHits: 1,
      timeline: { totalDetections: 1 },
      relatedInfrastructure: { totalRelated: 0 },
      dns: undefined,
      technologies: undefined,
      otx: undefined,
    });
    expect(full.dataTrust?.completeness.missing).toEqual(expect.arrayContaining(['dns', 'whois', 'otx']));
  });

  test('fast, a past moment and a private address start no lookup', async () => {
    const live = gathering(EVERYTHING);
    await ask(live, 'evil.com', 'fast');
    for (const level of ['basic', 'standard', 'full'] as const) {
      const result = await ask(live, '192.168.1.1', level);
      expect(result).toMatchObject({ whois: null, enrichmentLevel: level });
    }
    const { check } = createCheck(checkDeps({ live }));
    const then = check({ indicator: indicatorOf('evil.com'), enrichment: 'standard', asOfMs: NOW_MS });
    await expect(then).rejects.toThrow(/no history/);
    expect(live.calls).toEqual([]);
  });

  test('a check without a target starts no lookup', async () => {
    const live = gathering(EVERYTHING);
    const { check } = createCheck(checkDeps({ live }));
    expect(check({ indicator: null, enrichment: 'full', asOfMs: null })).toEqual({
      malicious: false,
      apiVersion: 'v2',
      enrichmentLevel: 'full',
    });
    expect(live.calls).toEqual([]);
  });
});

describe('completeness (contract 2.5, G9)', () => {
  test('every facet that was obtained is present with the time it was learned, the others are missing', async () => {
    const { dataTrust } = await ask(gathering(EVERYTHING), 'evil.com', 'full');
    expect(dataTrust?.completeness).toMatchObject({
      score: 63,
      present: ['sources', 'whois', 'geo', 'dns', 'otx'],
      missing: ['reputation', 'certificates', 'vulnerabilities'],
      facetFreshness: {
        whois: { fetchedAt: '2026-08-22T12:00:00.000Z', freshness: 'fresh', dataAgeHours: 0 },
      },
    });
  });

  test('an expired cached answer is stale at any age; a valid one is rated by its age', async () => {
    const hours = (count: number) => count * 3_600_000;
    const live = gathering({
      whois: found({ ...WHOIS, nameServers: [], status: [] }, hours(2), true),
      otx: found(OTX, hours(30)),
    });
    const { dataTrust } = await ask(live, 'evil.com', 'standard');
    expect(dataTrust?.completeness.facetFreshness).toMatchObject({
      whois: { freshness: 'stale', dataAgeHours: 2 },
      otx: { freshness: 'recent', dataAgeHours: 30 },
    });
  });

  test('an answer without an entry is no data: the field is null and the facet missing', async () => {
    const whois = { state: 'absent', fetchedAtMs: NOW_MS } as const;
    const { dataTrust, ...result } = await ask(gathering({ whois }), 'evil.com', 'standard');
    expect(result.whois).toBeNull();
    expect(dataTrust?.completeness.missing).toContain('whois');
  });

  test('facets of one check do not appear in the next check with the same verdict', async () => {
    const live = gathering({ whois: EVERYTHING.whois });
    const { check } = createCheck(checkDeps({ live }));
    const asked = { indicator: indicatorOf('evil.com'), asOfMs: null };
    await check({ ...asked, enrichment: 'standard' });
    const fast = await check({ ...asked, enrichment: 'fast' });
    expect(fast.dataTrust?.completeness.present).toEqual(['sources']);
  });
});

describe('a scanner (G13, G55)', () => {
  const said = (threats: ('malware' | 'phishing' | 'unwanted' | 'abuse')[], matched: string | null = null) =>
    gathering({ scanner: found({ threats, matched }) });

  test('its accusation sets malicious, is a source among the others, counts as one engine and adds points', async () => {
    const before = await ask(gathering({}), 'evil.com', 'standard');
    const after = await ask(said(['phishing', 'malware']), 'evil.com', 'standard');
    expect([before.malicious, after.malicious]).toEqual([false, true]);
    expect(after.reputation).toEqual({ malicious: 1, suspicious: 0, harmless: 0, undetected: 0 });
    expect(after.sources?.at(-1)).toMatchObject({
      id: 'live-scanner',
      threatClass: 'threat',
      category: 'malware',
      categories: ['malware', 'phishing'],
      matchType: 'exact',
    });
    expect(after.blocklistHits).toBe((before.blocklistHits ?? 0) + 1);
    expect(after.riskScore?.score).toBeGreaterThan(before.riskScore?.score ?? 100);
    const sum = after.riskScore?.factors.reduce((points, { contribution }) => points + contribution, 0);
    expect(sum).toBe(after.riskScore?.score);
    expect(after.dataTrust?.completeness.present).toContain('reputation');
    expect(after.dataTrust?.snapshotId).toBe(`${before.dataTrust?.snapshotId}-s3`);
  });

  test('basic sets malicious too when the answer is cached', async () => {
    expect(await ask(said(['malware']), 'nobody.com', 'basic')).toMatchObject({ malicious: true });
  });

  test('without a finding it counts as an engine that detected nothing: no points are taken off, nothing is called clean or harmless', async () => {
    for (const query of ['evil.com', 'nobody.com']) {
      const before = await ask(gathering({}), query, 'standard');
      const after = await ask(said([]), query, 'standard');
      expect(after.reputation).toEqual({ malicious: 0, suspicious: 0, harmless: 0, undetected: 1 });
      expect(after.dataTrust?.sourceAgreement.scannerClean).toBe(0);
      for (const key of [
        'malicious',
        'blocklistHits',
        'sources',
        'riskScore',
        'confidence',
        'evidence',
      ] as const)
        expect(after[key], `${query} ${key}`).toEqual(before[key]);
    }
  });

  test('its answer counts in /check/reputation as well, which queries no other source', async () => {
    for (const live of [said(['malware']), said([]), gathering({})])
      for (const query of ['evil.com', 'nobody.com', '45.155.205.9']) {
        const { reputation } = createCheck(checkDeps({ live }));
        const { reputation: counts, blocklistHits, riskScore } = await ask(live, query, 'standard');
        live.calls.length = 0;
        const { score, level, word } = riskScore ?? {};
        expect(await reputation(indicatorOf(query)), query).toEqual({
          reputation: counts,
          blocklistHits,
          riskScore: { score, level, word },
          message: expect.stringContaining(`${word} (${score} of 100)`),
        });
        expect(live.calls).toEqual(['gather standard 250 scanner']);
      }
  });

  test('the reputation of a private address starts no lookup, and without live lookups it is synchronous', () => {
    const live = said(['malware']);
    const none = { reputation: { malicious: 0, suspicious: 0, harmless: 0, undetected: 0 } };
    expect(createCheck(checkDeps({ live })).reputation(indicatorOf('192.168.1.1'))).toMatchObject(none);
    const off = createCheck(checkDeps({ live: { ...live, isOn: false } }));
    expect(off.reputation(indicatorOf('evil.com'))).toMatchObject(none);
    expect(live.calls).toEqual([]);
  });

  test('an expired answer, or none, is as if no scanner had been queried', async () => {
    const stale = gathering({ scanner: found({ threats: ['malware'], matched: null }, 0, true) });
    const failed = gathering({ scanner: { state: 'missing', reason: 'breaker' } });
    for (const live of [stale, failed])
      expect(await ask(live, 'evil.com', 'standard')).toMatchObject({
        malicious: false,
        reputation: { malicious: 0, undetected: 0 },
      });
  });

  test('the match type tells a page from its host and its parent domain; only the page is malicious (O50)', async () => {
    const url = 'http://sub.nobody.com/a/b?c=1';
    const matchOf = async (matched: string) => {
      const result = await ask(said(['malware'], matched), url, 'standard');
      return [result.sources?.at(-1)?.matchType, result.malicious, result.riskScore?.level];
    };
    expect(await matchOf('sub.nobody.com/a/b?c=1')).toEqual(['exact', true, 'high']);
    expect(await matchOf('sub.nobody.com/')).toEqual(['parent', false, 'high']);
    expect(await matchOf('nobody.com/')).toEqual(['parent', false, 'high']);
  });
});
