import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readStream } from '#test/read-stream.ts';
import { openCheckService, type SharedCheckService } from './check-corpus.ts';
import { beginWithinOneHour } from './one-hour.ts';
import { CLOUD_IP, CROWDED_IP, FEEDS, SAMPLE_SHA256 } from './shared-corpus.ts';

let running: SharedCheckService;
let key: string;

beforeAll(async () => {
  running = await openCheckService('check-stream-verdict');
  key = (await running.accounts.newAccount('first-verdict@example.com', { plan: 'ENTERPRISE' })).credential;
}, 600_000);
beforeEach(beginWithinOneHour);
afterAll(async () => {
  await running?.stop();
});

type Listed = {
  readonly sourceId: string;
  readonly value: string;
  readonly matchType: string;
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
  readonly contribution: number;
};
type Told = {
  readonly sources: readonly { readonly id: string; readonly matchType: string }[];
  readonly verdict: { readonly riskScore: { readonly score: number } };
  readonly listings: readonly Listed[];
  readonly coverage: {
    readonly kind: string;
    readonly sources: number;
    readonly listing: number;
    readonly fresh: number;
    readonly silent: readonly {
      readonly id: string;
      readonly name: string;
      readonly confidenceBase: number;
      readonly fresh: boolean;
    }[];
  };
};

async function told(query: string): Promise<{ first: Told; insights: Record<string, unknown> }> {
  const { events } = await readStream(
    `${running.service.url}/check/stream?query=${encodeURIComponent(query)}`,
    { 'X-API-KEY': key },
  );
  const dataOf = (wanted: string) => events.find(({ type }) => type === wanted)?.data;
  return { first: dataOf('reputation') as Told, insights: dataOf('insights') as Record<string, unknown> };
}

describe('the first event of a stream', () => {
  test('has the same verdict as insights and GET /check', async () => {
    for (const query of [CROWDED_IP, 'evil.com', 'http://evil.com/payload.exe', SAMPLE_SHA256, '8.8.4.4']) {
      const { first, insights } = await told(query);
      const { body } = await running.check(query);
      const { riskScore, confidence, classification, evidence } = insights;
      const { mitre, crossCorrelation, dataTrust } = body;
      const { sourceAgreement } = dataTrust as unknown as {
        readonly sourceAgreement: { readonly count: number };
      };
      expect(first.verdict, query).toEqual({
        riskScore,
        confidence,
        classification,
        evidence,
        mitre,
        crossCorrelation,
        independentSources: sourceAgreement.count,
      });
      expect(first.verdict.riskScore, query).toEqual(body.riskScore);
    }
  });

  test('shows the listing of each source and its points, in the order of sources', async () => {
    const { first } = await told('45.155.206.7');
    const [range] = first.listings;
    expect(range).toMatchObject({ sourceId: 'ranges', value: '45.155.206.0/24', matchType: 'cidr' });
    expect(range?.contribution).toBe(first.verdict.riskScore.score);
    // The list was read once and dates neither entries nor sightings (O55).
    expect([range?.firstSeen, range?.lastSeen]).toEqual([null, null]);
    for (const query of [CROWDED_IP, CLOUD_IP, 'http://evil.com/payload.exe', 'www.evil.com']) {
      const { sources, listings } = (await told(query)).first;
      expect(
        listings.map(({ sourceId, matchType }) => [sourceId, matchType]),
        query,
      ).toEqual(sources.map(({ id, matchType }) => [id, matchType]));
    }
    const above = (await told('www.evil.com')).first.listings;
    expect(new Set(above.map(({ value }) => value))).toEqual(new Set(['evil.com']));
    for (const { sourceId, contribution } of (await told(CLOUD_IP)).first.listings)
      expect([sourceId, contribution]).toEqual([sourceId, 0]);
  });

  test('gives the number of threat sources that cover this kind, and of those that list the target', async () => {
    const ip = (await told(CROWDED_IP)).first.coverage;
    expect(ip).toMatchObject({ kind: 'ip', listing: FEEDS });
    expect(ip.sources).toBeGreaterThan(FEEDS);
    const file = (await told('12'.repeat(32))).first.coverage;
    // The trap feeds declare no kind, so each of them could list a file; feeds that declare a kind are left
    // out.
    expect(file).toMatchObject({ kind: 'hash', listing: 0 });
    const unlisted = (await told('8.8.4.4')).first.coverage;
    expect(unlisted).toEqual({ ...ip, listing: 0, silent: unlisted.silent });
    expect(ip.sources).toBe(file.sources - 1);
  });

  test('names the sources that could list the target and do not, the most reliable first, and no source that does', async () => {
    for (const query of [CROWDED_IP, CLOUD_IP, '45.155.206.7', 'www.evil.com', SAMPLE_SHA256, '8.8.4.4']) {
      const { coverage, listings } = (await told(query)).first;
      const { silent } = coverage;
      expect(silent, query).toHaveLength(coverage.sources - coverage.listing);
      const accusers = new Set(listings.map(({ sourceId }) => sourceId));
      expect(silent.filter(({ id }) => accusers.has(id))).toEqual([]);
      const believed = silent.map(({ confidenceBase }) => confidenceBase);
      expect(believed).toEqual(believed.toSorted((a, b) => b - a));
    }
    const { silent, fresh } = (await told('8.8.4.4')).first.coverage;
    expect(silent.filter((source) => source.fresh)).toHaveLength(fresh);
    expect(silent.every(({ name }) => name !== '')).toBe(true);
  });
});
