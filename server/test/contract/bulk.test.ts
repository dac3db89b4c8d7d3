import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import type { ServiceAccount } from '#test/service-accounts.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { beginWithinOneHour } from './one-hour.ts';
import { BULK, CLOUD_IP, SAMPLE_SHA256 as SAMPLE } from './shared-corpus.ts';

type Row = Record<string, unknown> & {
  entity: string;
  error: string | null;
  confidence?: number;
  categories?: string[];
  riskScore?: number;
  riskLevel?: string;
  word?: string;
  recommendedAction?: string;
};
type Reply = {
  success: boolean;
  total: number;
  processed: number;
  results: Row[];
  errors?: string[];
  processingTimeMs: number;
};

const { ip: LISTED_IP, domain: LISTED, email: LISTED_EMAIL } = BULK;
const DEFANGED_URL = `hxxp://${LISTED.replace('.', '[.]')}/login`;
const UNSEEN = 'ef'.repeat(32);

let running: SharedService;
let account: ServiceAccount;

const post = (body: unknown, path = '/bulk/check') =>
  fetch(`${running.service.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': account.credential },
    body: JSON.stringify(body),
  });
const bulk = async (entities: readonly string[], more: object = {}, path?: string): Promise<Reply> => {
  const answer = await post({ entities, ...more }, path);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Reply;
};
const check = async (query: string): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${running.service.url}/check?query=${encodeURIComponent(query)}`, {
    headers: { 'X-API-KEY': account.credential },
  });
  return (await answer.json()) as Record<string, unknown>;
};
const undated = (evidence: unknown): unknown => ({ ...(evidence as object), observedAt: '' });
const undatedRow = (row: Row): unknown => ({ ...row, observedAt: '', evidence: undated(row.evidence) });

beforeAll(async () => {
  running = await sharedService('bulk');
  const limits = { burstPerMinute: 10_000 };
  account = await running.accounts.newAccount('bulk@example.com', { plan: 'PRO', limits });
  await eventually(
    'the lists are in the replica',
    30_000,
    async () => (await bulk([SAMPLE])).results[0]?.lookupStatus === 'known',
  );
}, 600_000);
beforeEach(beginWithinOneHour);
afterAll(() => running?.stop());

describe('POST /bulk/check, rows', () => {
  test('trap 20: a row has isMalicious and every field of contract 2.7, with the types of the bulk answer', async () => {
    const { results, ...reply } = await bulk([LISTED_IP]);
    expect(reply).toEqual({ success: true, total: 1, processed: 1, processingTimeMs: expect.any(Number) });
    expect(Number.isInteger(reply.processingTimeMs)).toBe(true);
    expect(results).toEqual([
      {
        entity: LISTED_IP,
        type: 'ip',
        isMalicious: false,
        confidence: expect.any(Number),
        sources: 2,
        categories: expect.arrayContaining(['malware', 'phishing']),
        riskScore: expect.any(Number),
        riskLevel: expect.stringMatching(/^(?:low|medium|high|critical)$/),
        word: expect.any(String),
        recommendedAction: expect.any(String),
        analystStatus: 'new',
        observedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        evidence: expect.objectContaining({ sourceSummary: expect.any(Object) }),
        error: null,
      },
    ]);
  });

  test('trap 20: an unknown hash lacks riskScore, riskLevel and confidence; a known one has them', async () => {
    const { results } = await bulk([UNSEEN, SAMPLE.toUpperCase()]);
    const [unknown, known] = results;
    expect(unknown).toMatchObject({
      entity: UNSEEN,
      type: 'hash',
      isMalicious: false,
      sources: 0,
      categories: [],
      lookupStatus: 'unknown',
      recommendedAction: 'unverified',
      error: null,
    });
    for (const key of ['riskScore', 'riskLevel', 'confidence']) expect(unknown, key).not.toHaveProperty(key);
    expect(known).toMatchObject({
      entity: SAMPLE.toUpperCase(),
      isMalicious: true,
      lookupStatus: 'known',
      riskScore: expect.any(Number),
      confidence: expect.any(Number),
    });
  });

  test('trap 21: an entity that cannot be checked has a row with the reason; success stays true and other rows are unaffected', async () => {
    const whole = await bulk([LISTED_IP, LISTED]);
    const mixed = await bulk([LISTED_IP, 'a'.repeat(128), '10.0.0.0/8', '+49 170', LISTED]);
    expect(mixed).toMatchObject({ success: true, total: 5, processed: 2 });
    expect(mixed.results.map(({ type, error }) => [type, error === null])).toEqual([
      ['ip', true],
      ['unknown', false],
      ['unknown', false],
      ['phone', false],
      ['domain', true],
    ]);
    expect(mixed.results[1]).toEqual({
      entity: 'a'.repeat(128),
      type: 'unknown',
      isMalicious: false,
      sources: 0,
      categories: [],
      evidence: null,
      error: expect.stringContaining('SHA-256'),
    });
    const intact = mixed.results.filter(({ error }) => error === null);
    expect(intact.map(undatedRow)).toEqual(whole.results.map(undatedRow));
  });

  test('a row equals the /check answer for the same entity: score, evidence, counts, infrastructure', async () => {
    const asked = [
      LISTED_IP,
      CLOUD_IP,
      LISTED,
      `www.${LISTED}`,
      `http://${LISTED}/login`,
      'never-seen.example.org',
      SAMPLE,
      UNSEEN,
      '192.168.1.1',
    ];
    const { results } = await bulk(asked);
    for (const [index, entity] of asked.entries()) {
      const row = results[index] as Row;
      const single = await check(entity);
      expect(undated(row.evidence), entity).toEqual(undated(single.evidence));
      expect(row.isMalicious, entity).toBe(single.malicious);
      expect(row.sources, entity).toBe(single.blocklistHits);
      expect(row.lookupStatus, entity).toBe(single.lookupStatus);
      expect(row.infrastructure, entity).toEqual(
        single.infrastructure === undefined
          ? undefined
          : { attributes: (single.infrastructure as { attributes: string[] }).attributes },
      );
      if (row.lookupStatus === 'unknown') continue;
      expect(row, entity).toMatchObject({
        riskScore: (single.riskScore as { score: number }).score,
        riskLevel: (single.riskScore as { level: string }).level,
        confidence: (single.confidence as { score: number }).score,
      });
    }
  });

  test('every row of a batch and its evidence have the same observation time', async () => {
    const { results } = await bulk([LISTED_IP, LISTED, CLOUD_IP]);
    const moments = results.flatMap(({ observedAt, evidence }) => [
      observedAt,
      (evidence as { observedAt: string }).observedAt,
    ]);
    expect(new Set(moments).size).toBe(1);
  });

  test('the same entities in another order give the same rows in that order', async () => {
    const asked = [LISTED_IP, LISTED, 'not an indicator', UNSEEN, CLOUD_IP];
    const forward = (await bulk(asked)).results.map(undatedRow);
    const backward = (await bulk(asked.toReversed())).results.map(undatedRow);
    expect(backward).toEqual(forward.toReversed());
  });

  test('an e-mail address is judged by listings of the address and of its domain', async () => {
    const { results } = await bulk([LISTED_EMAIL, `other@${LISTED}`, 'nobody@example.org']);
    expect(results).toMatchObject([
      { type: 'email', sources: 1, error: null },
      { type: 'email', sources: 1, error: null },
      { type: 'email', sources: 0, error: null },
    ]);
    expect(results[0]?.riskScore).toBeGreaterThan(0);
  });

  test('defanged entities are refanged for the check and echoed as sent', async () => {
    const { results } = await bulk([DEFANGED_URL, `${LISTED.toUpperCase()}.`]);
    expect(results).toMatchObject([
      { entity: DEFANGED_URL, type: 'url', sources: 2 },
      { entity: `${LISTED.toUpperCase()}.`, type: 'domain', sources: 1 },
    ]);
  });

  test('basic leaves the evidence out and nothing else', async () => {
    const [basic] = (await bulk([LISTED], { enrichment: 'basic' })).results;
    const [fast] = (await bulk([LISTED], { enrichment: 'fast' })).results;
    expect(basic).toEqual({ ...fast, observedAt: basic?.observedAt, evidence: null });
  });

  test('the web surface answers the same rows under /api', async () => {
    const { results } = await bulk([LISTED_IP], { enrichment: 'basic' }, '/api/bulk/check');
    expect(results).toMatchObject([{ entity: LISTED_IP, sources: 2 }]);
  });
});

describe('POST /bulk/check, CSV', () => {
  test('G21: the answer is a CSV file with the header of the contract and one line per row', async () => {
    const answer = await post({ entities: [LISTED_IP, UNSEEN], format: 'csv' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="bulk-check.csv"');
    const row = (await bulk([LISTED_IP])).results[0] as Row;
    const lines = (await answer.text()).replaceAll(/\d{4}-[^,]*Z/g, 'NOW').split('\r\n');
    expect(lines).toEqual([
      'entity,type,isMalicious,confidence,sources,categories,riskScore,riskLevel,recommendedAction,analystStatus,lookupStatus,observedAt,error,word,malwareFamily,asn,asnName,countryCode,firstSeen,lastSeen',
      `${LISTED_IP},ip,false,${row.confidence},2,"${row.categories?.join(';')}",${row.riskScore},${row.riskLevel},${row.recommendedAction},new,,NOW,,${row.word},,,,,${row.firstSeen ? 'NOW' : ''},${row.lastSeen ? 'NOW' : ''}`,
      `${UNSEEN},hash,false,,0,,,,unverified,new,unknown,NOW,,Not seen,,,,,,`,
      '',
    ]);
  });

  test('trap 22: a cell that a spreadsheet would execute as a formula is neutralised', async () => {
    const text = await (await post({ entities: ['=cmd()', '@SUM(A1,"x")'], format: 'csv' })).text();
    expect(text).toContain("\r\n'=cmd(),unknown,");
    expect(text).toContain('\r\n"\'@SUM(A1,""x"")",unknown,');
  });
});
