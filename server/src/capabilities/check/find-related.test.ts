import { expect, test } from 'vitest';
import { createAssessor } from '#capabilities/judging/index.ts';
import { checkDeps, found, indicatorOf, NOW_MS, WHOIS } from '#test/check-deps.ts';
import { NOBODY_ASKED } from './check-context.ts';
import { RelatedInfrastructure } from './contract-context.ts';
import { findRelated } from './find-related.ts';

const deps = checkDeps();
const assess = createAssessor(deps);
const row = (pivot: string, subject: string, ageMs = 0) => ({
  subject,
  pivot,
  recordType: '',
  firstSeenMs: 0,
  lastSeenMs: NOW_MS - ageMs,
});

const observing = (seen: Readonly<Record<string, readonly string[]>>, extra = 0) => ({
  byPivot: async (relation: string, pivot: string, limit: number) => {
    const subjects = seen[`${relation} ${pivot}`] ?? [];
    const rows = subjects.slice(0, limit).map((subject, index) => row(pivot, subject, index));
    return { rows, total: subjects.length + extra };
  },
});
const related = async (query: string, observations = observing({}), live = NOBODY_ASKED) =>
  RelatedInfrastructure.parse(
    await findRelated({ corpus: deps.corpus, assess, observations }, assess(indicatorOf(query)), live),
  );

test('listed neighbours are named, without the address itself; those of the announced range in their own group', async () => {
  const found = await related('45.155.205.233');
  expect(found.sameSubnet).toEqual([
    {
      value: '45.155.205.9',
      type: 'ip',
      listed: true,
      verdict: 'medium',
      word: 'Suspicious',
      lastSeen: null,
    },
  ]);
  expect(found.sameASN.map(({ value }) => value)).toEqual(['45.155.204.7']);
  expect(found).toMatchObject({
    totalRelated: 2,
    riskAssessment: {
      level: 'low',
      reason: '2 of 1,024 addresses of 45.155.204.0/22 are listed besides it (0.20 %).',
    },
  });
});

test('names of an address: newest first, listed ones marked, the level high', async () => {
  const seen = { 'resolves 8.8.4.4': ['evil.com', 'good.com', 'not a name'] };
  const { resolvedDomains, riskAssessment, totalRelated } = await related('8.8.4.4', observing(seen));
  expect(resolvedDomains.map(({ value, listed, verdict }) => [value, listed, verdict])).toEqual([
    ['evil.com', true, 'medium'],
    ['good.com', false, 'unknown'],
  ]);
  expect(resolvedDomains[0]?.lastSeen).toBe(new Date(NOW_MS).toISOString());
  expect(totalRelated).toBe(3);
  expect(riskAssessment.level).toBe('high');
});

test('registrar, name servers, certificate and addresses are the pivots of a name; it is not related to itself', async () => {
  const seen = {
    'registrar example registrar': ['example.com', 'other.com'],
    'nameserver ns1.evil.com': ['example.com', 'third.com'],
    'certificate AA:BB': ['www.example.com', 'fourth.com'],
    'resolves 9.9.9.10': ['www.example.com', 'fifth.com'],
  };
  const certificate = { fingerprint: 'AA:BB' } as never;
  const live = {
    ...NOBODY_ASKED,
    whois: found({ ...WHOIS, nameServers: ['NS1.evil.com.'], status: [] }),
    certificates: found(certificate),
    addresses: found({ a: ['9.9.9.10'], aaaa: [] }),
  };
  const groups = await related('www.example.com', observing(seen), live);
  const values = (list: readonly { value: string }[]) => list.map(({ value }) => value);
  expect(values(groups.sameRegistrar)).toEqual(['other.com']);
  expect(values(groups.sameNameserver)).toEqual(['third.com']);
  expect(values(groups.sharedCertificate)).toEqual(['fourth.com']);
  expect(values(groups.resolvedDomains)).toEqual(['fifth.com']);
  expect(groups.totalRelated).toBe(4);
  expect(groups.riskAssessment).toEqual({
    level: 'low',
    reason: 'None of 2 that share its certificate or address is listed, which is not proof of good.',
  });
});

test('lists are cut at fifty, the count is not', async () => {
  const many = Array.from({ length: 60 }, (_, n) => `name-${n}.com`);
  const { resolvedDomains, totalRelated } = await related(
    '8.8.4.4',
    observing({ 'resolves 8.8.4.4': many }, 940),
  );
  expect([resolvedDomains.length, totalRelated]).toEqual([50, 1_000]);
});

test('an address of the subnet is not counted again in the network around it', async () => {
  const subnet = Array.from({ length: 80 }, (_, n) => `45.155.205.${n + 154}`);
  const corpus = {
    accusedWithin: ({ bits }: { readonly bits: number }, limit: number) => {
      const inside = bits === 24 ? subnet : [...subnet, '45.155.206.1'];
      return { addresses: inside.slice(0, limit), total: inside.length, space: 2 ** (32 - bits) };
    },
  };
  const found = await findRelated({ corpus, assess }, assess(indicatorOf('45.155.205.233')), NOBODY_ASKED);
  expect(found.sameSubnet).toHaveLength(50);
  expect(found.sameASN).toMatchObject([{ value: '45.155.206.1' }]);
  expect(found.totalRelated).toBe(80);
  expect(found.riskAssessment).toEqual({
    level: 'medium',
    reason: '80 of 1,024 addresses of 45.155.204.0/22 are listed besides it (7.81 %).',
  });
});

test('without related entities the level is unknown, not low; a file has none', async () => {
  for (const query of ['8.8.4.4', 'nobody.com', 'ab'.repeat(32)])
    expect(await related(query)).toMatchObject({ totalRelated: 0, riskAssessment: { level: 'unknown' } });
});
