import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bulkRoutes } from '#capabilities/bulk/index.ts';
import { checkAsOf, checkRoutes } from '#capabilities/check/index.ts';
import { createContactSummaries } from '#capabilities/contacts/index.ts';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { historyRoutes } from '#capabilities/history/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { mailRoutes } from '#capabilities/mail/index.ts';
import { openScanThreads, type ScanThreads } from '#capabilities/mail/scan-threads.ts';
import {
  type OwnWords,
  openOwnWords,
  organizationsDataset,
  orgIndicatorsRoutes,
  warnAbout,
} from '#capabilities/org-indicators/index.ts';
import { createAbsentLookup } from '#capabilities/providers/frame/create-lookup.ts';
import type { Principal } from '#platform/http/principal.ts';
import { createLog } from '#platform/log.ts';
import { sql } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { CALLER, recordedGates, testApp } from '#test/http-app.ts';
import { PATIENT_SCANS, THREE_SCANS } from '#test/mail/mail-rig.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
import { type SimulatedCorpus, simulateCorpus } from '#test/simulated-corpus.ts';

const START_MS = Date.UTC(2026, 7, 1, 6, 30);
const MINUTE_MS = 60_000;
const RED: Principal = { ...CALLER, accountId: 'org_red', organizationId: 'org_red' };
const BLUE: Principal = { ...CALLER, accountId: 'org_blue', organizationId: 'org_blue' };
const ALONE: Principal = { ...CALLER, accountId: 'usr_01', organizationId: null };

let simulated: SimulatedCorpus;
let organizations: BuiltReplica;
let app: FastifyInstance;
let threads: ScanThreads;
let caller: Principal;
const reads: string[] = [];

beforeAll(async () => {
  simulated = await simulateCorpus(START_MS);
  const { corpus, clock, postgres, deps } = simulated;
  await sql`insert into app_user (id, email, created_at) values ('usr_01', 'a@example.org', now())`.execute(
    deps.system.db,
  );
  await simulated.list('feed', ['11.1.1.1', 'listed.example.com'], { category: 'c2', reliability: 0.6 });
  await simulated.follow();
  organizations = await buildReplica(deps.system, organizationsDataset);
  const words = openOwnWords(organizations.replica);
  const own: OwnWords = {
    find: (organizationId, ...rest) => {
      reads.push(organizationId);
      return words.find(organizationId, ...rest);
    },
  };
  const judging = {
    corpus,
    clock,
    misses: createMissCache(clock),
    enrichment: { book: () => EMPTY_BOOK },
    own,
  };
  const assess = createAssessor(judging);
  const enrichment = { ...judging.enrichment, attack: () => null, attackAt: async () => null };
  const replay = { postgres, clock, enrichment: { bookAt: async () => EMPTY_BOOK } };
  threads = openScanThreads(PATIENT_SCANS, createLog('silent'));
  const providers = { dns: createAbsentLookup('dns', 'off') } as Parameters<
    typeof mailRoutes
  >[0]['providers'];
  app = testApp(
    [
      ...mailRoutes({ assess, corpus, clock, providers, threads, scansOf: async () => THREE_SCANS }),
      ...checkRoutes({
        ...judging,
        assess,
        enrichment,
        passwords: { find: () => null },
        secrets: createSecrets(`1:${'a'.repeat(64)}`),
        asOf: (...asked) => checkAsOf(replay, ...asked),
      }),
      ...historyRoutes({ ...replay, isWatched: async () => false }),
      ...bulkRoutes({
        clock,
        assess,
        contacts: createContactSummaries({ corpus, clock }),
        callerOf: () => ({ plan: 'PRO', billing: null, limits: { bulkEntities: 100 } }),
      }),
      ...orgIndicatorsRoutes({
        clock,
        postgres,
        dailyLimitOf: () => 200,
        warn: (item) => warnAbout(corpus, item),
      }),
    ],
    { clock, gates: recordedGates({ identify: () => caller }).gates },
  );
});
afterAll(async () => {
  threads?.close();
  await organizations?.close();
  await simulated?.close();
});
beforeEach(() => {
  reads.length = 0;
});

const as = async <T>(who: Principal, work: () => Promise<T>): Promise<T> => {
  caller = who;
  return work();
};
const check = (who: Principal, query: string, asOfMs?: number) =>
  as(who, async () => {
    const at = asOfMs === undefined ? '' : `&asOf=${new Date(asOfMs).toISOString()}`;
    const answer = await app.inject({ url: `/check?query=${encodeURIComponent(query)}${at}` });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer;
  });
const bulk = (who: Principal, entities: readonly string[]) =>
  as(who, async () => {
    const answer = await app.inject({ method: 'POST', url: '/bulk/check', payload: { entities } });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().results as readonly Record<string, unknown>[];
  });
const report = (who: Principal, ...indicators: readonly object[]) =>
  as(who, async () => {
    const answer = await app.inject({ method: 'POST', url: '/org/indicators', payload: { indicators } });
    expect(answer.statusCode, answer.body).toBe(200);
    await organizations.sync();
    return answer.json().indicators as readonly { id: string }[];
  });
const revoke = (who: Principal, id: string | undefined) =>
  as(who, async () => {
    await app.inject({ method: 'DELETE', url: `/org/indicators/${id}` });
    await organizations.sync();
  });
const pass = (ms: number) => simulated.clock.set(simulated.clock.now() + ms);

test('a value that only the organization blocks is high risk and to be blocked, for its members alone (O14)', async () => {
  const categories = [
    'malware',
    'phishing',
    'spam',
    'scam',
    'fraud',
    'botnet',
    'ransomware',
    'c2',
    'other',
    'our word',
  ];
  await report(
    RED,
    ...categories.flatMap((category, at) => [
      { type: 'ip', value: `12.0.0.${at}`, category },
      { type: 'domain', value: `d${at}.example.net`, category },
      { type: 'hash', value: String(at).repeat(32), category },
    ]),
  );
  for (const [at, category] of categories.entries())
    for (const value of [
      `12.0.0.${at}`,
      `d${at}.example.net`,
      `https://d${at}.example.net/x`,
      String(at).repeat(32),
    ]) {
      const mine = (await check(RED, value)).json();
      const shown = `${category} ${value}: ${mine.riskScore.score}`;
      expect([mine.riskScore.level, mine.evidence.recommendedAction], shown).toEqual(['high', 'block']);
      expect(mine.blocklistHits, shown).toBe(1);
      expect(mine.malicious, shown).toBe(false);
      expect(mine.organization).toMatchObject({ disposition: 'block', category });
      expect(mine.sources[0]).toMatchObject({
        id: 'organization',
        name: 'Your organization',
        confidenceBase: 95,
      });
      expect(mine.dataTrust.snapshotId).toMatch(/-o1$/);
      const others = await Promise.all([BLUE, ALONE].map((who) => check(who, value)));
      for (const { body } of others) {
        expect(body).not.toContain('organization');
        expect(JSON.parse(body)).toMatchObject({ blocklistHits: 0, riskScore: { level: 'inconclusive' } });
      }
    }
});

test('ranges cover their addresses, names cover those below, and nothing covers a neighbour', async () => {
  await report(
    BLUE,
    { type: 'ip', value: '13.1.0.0/16', category: 'c2' },
    { type: 'ip', value: '2a01:4f8::/32', category: 'c2' },
    { type: 'domain', value: 'evil-corp.com', category: 'phishing' },
  );
  for (const [value, matchType] of [
    ['13.1.2.3', 'cidr'],
    ['2a01:4f8:1::7', 'cidr'],
    ['www.evil-corp.com', 'parent'],
  ] as const)
    expect((await check(BLUE, value)).json().organization, value).toMatchObject({ matchType });
  const [address] = await bulk(BLUE, ['someone@evil-corp.com']);
  expect(address).toMatchObject({ riskLevel: 'high', sources: 1 });
  for (const value of ['13.2.0.1', '2a01:4f9::7', 'notevil-corp.com'])
    expect((await check(BLUE, value)).json().organization, value).toBeUndefined();
});

test('bulk rows, cached verdicts and cached rows of one organization reach no other caller', async () => {
  await report(RED, { type: 'ip', value: '14.0.0.1', category: 'c2', reason: 'red secret' });
  await report(BLUE, { type: 'ip', value: '14.0.0.2', category: 'c2', reason: 'blue secret' });
  const values = ['14.0.0.1', '14.0.0.2', '11.1.1.1', '14.0.0.3', 'ff'.repeat(16)];
  for (let round = 0; round < 3; round += 1) {
    const [red, blue, alone] = [await bulk(RED, values), await bulk(BLUE, values), await bulk(ALONE, values)];
    expect(red.map(({ sources }) => sources)).toEqual([1, 0, 1, 0, 0]);
    expect(blue.map(({ sources }) => sources)).toEqual([0, 1, 1, 0, 0]);
    expect(alone.map(({ sources }) => sources)).toEqual([0, 0, 1, 0, 0]);
    expect(red[0]).toMatchObject({ riskLevel: 'high', organization: { reason: 'red secret' } });
    expect(JSON.stringify([red, alone])).not.toContain('blue secret');
    expect(JSON.stringify([blue, alone])).not.toContain('red secret');
  }
});

test('a hash that nobody knew is known to its organization at once, in spite of the cached miss', async () => {
  const hash = 'ab'.repeat(32);
  expect((await check(RED, hash)).json().lookupStatus).toBe('unknown');
  await report(RED, { type: 'hash', value: hash, category: 'malware' });
  expect((await check(RED, hash)).json().lookupStatus).toBe('known');
  expect((await check(BLUE, hash)).json().lookupStatus).toBe('unknown');
});

test('a caller without an organization causes no read of the organizations', async () => {
  await check(ALONE, '14.0.0.1');
  await bulk(ALONE, ['14.0.0.1', 'listed.example.com']);
  expect(reads).toEqual([]);
});

test('an allowed value is said in its own answer with a sentence, and no score changes', async () => {
  const before = (await check(RED, '11.1.1.1')).json();
  await report(RED, { type: 'ip', value: '11.1.1.0/24', disposition: 'allow', reason: 'our office' });
  const mine = (await check(RED, '11.1.1.1')).json();
  expect(mine.riskScore).toEqual(before.riskScore);
  expect(mine.organization).toMatchObject({
    disposition: 'allow',
    matched: '11.1.1.0/24',
    reason: 'our office',
  });
  expect(mine.evidence.reasons).toContain('Your organization allows it, which changes no points.');
  const [row] = await bulk(RED, ['11.1.1.1']);
  expect(row).toMatchObject({ organization: { disposition: 'allow' }, riskScore: before.riskScore.score });
  for (const who of [BLUE, ALONE])
    expect((await check(who, '11.1.1.1')).body).not.toMatch(/allows it|our office/);
  // A name below an allowed one is not allowed.
  await report(RED, { type: 'domain', value: 'example.com', disposition: 'allow' });
  expect((await check(RED, 'listed.example.com')).json().organization).toBeUndefined();
});

test('asOf repeats the answers of blocked, changed, revoked, restored and ended entries to the byte', async () => {
  const value = '15.0.0.9';
  const kept: { readonly atMs: number; readonly body: string }[] = [];
  const keep = async () => {
    pass(MINUTE_MS);
    kept.push({ atMs: simulated.clock.now(), body: (await check(RED, value)).body });
    pass(MINUTE_MS);
  };
  await keep();
  const [made] = await report(RED, { type: 'ip', value, category: 'c2' });
  await keep();
  await report(RED, { type: 'ip', value, category: 'phishing', reason: 'worse' });
  await keep();
  await revoke(RED, made?.id);
  await keep();
  const endsAt = new Date(simulated.clock.now() + 4 * MINUTE_MS).toISOString();
  await report(RED, { type: 'ip', value, disposition: 'allow', endsAt });
  await keep();
  pass(10 * MINUTE_MS);
  await keep();
  expect(kept.map(({ body }) => JSON.parse(body).organization?.category)).toEqual([
    undefined,
    'c2',
    'phishing',
    undefined,
    'other',
    undefined,
  ]);
  for (const { atMs, body } of kept) expect((await check(RED, value, atMs)).body).toBe(body);
  for (const { atMs } of kept) expect((await check(BLUE, value, atMs)).body).not.toContain('organization"');
});

test('the last point of a history is the answer of a check of the same second, with what the organization says', async () => {
  const value = '16.0.0.1';
  const [made] = await report(RED, { type: 'ip', value, category: 'c2' });
  const agree = async (who: Principal) => {
    const { riskScore, blocklistHits } = (await check(who, value)).json();
    const answer = await as(who, () => app.inject({ url: `/threat-intel/history?entity=${value}` }));
    const { score, level } = riskScore;
    expect(answer.json().points.at(-1)).toMatchObject({ score, level, blocklistHits });
    return level;
  };
  expect(await agree(RED)).toBe('high');
  expect([await agree(BLUE), await agree(ALONE)]).toEqual(['inconclusive', 'inconclusive']);
  pass(MINUTE_MS);
  await revoke(RED, made?.id);
  expect(await agree(RED)).toBe('inconclusive');
});

test('a report that may hurt is stored and answered with warnings: private, service, popular, accused', async () => {
  await simulated.list('ranked', ['busy.example.net'], {
    threatClass: 'allowlist',
    guard: 'popularity',
    rankMax: 1_000,
  });
  await simulated.follow();
  const warned = (indicators: readonly object[]) =>
    as(RED, async () => {
      const answer = await app.inject({ method: 'POST', url: '/org/indicators', payload: { indicators } });
      expect(answer.statusCode, answer.body).toBe(200);
      const { warnings } = answer.json() as { warnings: readonly { index: number; code: string }[] };
      return warnings.map(({ index, code }) => `${index} ${code}`);
    });
  const block = (value: string) => ({
    type: /^\d/.test(value) ? 'ip' : 'domain',
    value,
    category: 'c2',
  });
  expect(await warned([block('10.0.0.1'), block('8.8.8.8'), block('quiet.example.net')])).toEqual([
    '0 private',
    '1 service',
  ]);
  expect(
    await warned([{ type: 'ip', value: '11.1.1.1', category: 'c2', disposition: 'allow', reason: 'ours' }]),
  ).toEqual(['0 accused']);
  expect(await warned([block('busy.example.net')])).toContain('0 popular');
});

test('a blocked range is answered with what it holds, by count and example: services, hosts, infrastructure, own space', async () => {
  await simulated.list('clouds', ['8.34.208.0/20', '8.35.192.1', '9.0.0.0/16'], {
    threatClass: 'infrastructure',
    attributes: ['cloud'],
  });
  await simulated.list('good-hosts', ['8.35.192.9'], {
    threatClass: 'allowlist',
    category: 'known-good',
    guard: 'known-good',
  });
  await simulated.follow();
  const submit = (indicators: readonly object[]) =>
    as(RED, async () => {
      const answer = await app.inject({ method: 'POST', url: '/org/indicators', payload: { indicators } });
      expect(answer.statusCode, answer.body).toBe(200);
      const { warnings } = answer.json() as { warnings: readonly { code: string; message: string }[] };
      return warnings.map(({ code, message }) => `${code}: ${message}`);
    });
  const range = (value: string) => ({ type: 'ip', value, category: 'c2' });
  await submit([{ type: 'ip', value: '8.20.0.7', disposition: 'allow', reason: 'ours' }]);
  expect(await submit([range('8.0.0.0/8')])).toEqual([
    expect.stringMatching(/^service: The range holds \d+ named services?, such as .+ \(8\.[\d./]+\)/),
    expect.stringMatching(/^popular: The range holds 1 value .+ such as 8\.35\.192\.9:/),
    expect.stringMatching(
      /^infrastructure: The range holds 2 addresses and ranges known as cloud, such as 8\.34\.208\.0\/20:/,
    ),
    expect.stringMatching(
      /^own: The range holds 1 address that your organization allows, such as 8\.20\.0\.7:/,
    ),
  ]);
  expect(await submit([range('9.9.9.0/24')])).toEqual([expect.stringMatching(/^service: .*Quad9/)]);
  expect(await submit([range('127.0.0.0/8'), range('192.0.0.0/8')])).toEqual([
    expect.stringMatching(/^private: /),
    expect.stringMatching(/^own: The range holds 127\.0\.0\.1, from which this request comes/),
    expect.stringMatching(/^private: The range holds private or reserved addresses/),
    expect.stringMatching(/^service: /),
  ]);
  expect(await submit([range('45.45.45.0/24')])).toEqual([]);
});

test('a link that the organization blocks makes a message malicious for its members alone (O14, contract 4.9 rule 1)', async () => {
  await report(RED, { type: 'domain', value: 'blocked-in-mail.com', category: 'phishing' });
  const scan = (who: Principal) =>
    as(who, async () => {
      const payload = {
        message: { from: 'a@b.example.org', html: '<a href="http://blocked-in-mail.com/x">x</a>' },
      };
      const answer = await app.inject({ method: 'POST', url: '/mail/scan', payload });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json().verdict as string;
    });
  expect([await scan(RED), await scan(BLUE), await scan(ALONE)]).toEqual([
    'malicious',
    'inconclusive',
    'inconclusive',
  ]);
});
