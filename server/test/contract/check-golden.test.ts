import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GOLDEN } from '../golden/golden-corpus.ts';
import { BREACHED, type GoldenService, startGolden } from '../golden/golden-service.ts';
import { pathsIn } from '../golden/paths-in.ts';

const FOLDER = join(import.meta.dirname, '../golden');
const MUST_WRITE = process.env.UPDATE_GOLDEN === '1';

const asked = (query: string, more = ''): string => `/check?query=${encodeURIComponent(query)}${more}`;
const PATHS = {
  ip: asked(GOLDEN.ip),
  'ip-basic': asked(GOLDEN.ip, '&enrichment=basic'),
  'ip-fast': asked(GOLDEN.ip, '&enrichment=fast'),
  ipv6: asked(GOLDEN.ipv6),
  'tor-exit': asked(GOLDEN.torExit),
  'delisted-ip': asked(GOLDEN.delistedIp),
  'private-ip': asked(GOLDEN.privateIp),
  domain: asked(GOLDEN.domain),
  'idn-domain': asked(GOLDEN.idnDomain),
  'never-seen-domain': asked(GOLDEN.neverSeenDomain),
  'known-good-domain': asked(GOLDEN.knownGoodDomain),
  'host-of-a-listed-page': asked(GOLDEN.hostOfListedPage),
  'contradicted-domain': asked(GOLDEN.contradictedDomain),
  url: asked(GOLDEN.url),
  'known-hash': asked(GOLDEN.knownHash),
  'unknown-hash': asked(GOLDEN.unknownHash),
  'known-good-hash': asked(GOLDEN.knownGoodHash),
  'breached-password-hash': asked(BREACHED.sha1),
  'nothing-asked': '/check',
} as const;
type Name = keyof typeof PATHS;

let golden: GoldenService;
beforeAll(async () => {
  golden = await startGolden();
});
afterAll(async () => {
  await golden?.close();
});

type Answer = { dataTrust?: { snapshotId: string } | null };

/** The first part of a snapshotId counts changes of the whole database, which is not part of the contract. */
function withoutSequence(answer: Answer): Answer {
  if (answer.dataTrust) answer.dataTrust.snapshotId = answer.dataTrust.snapshotId.replace(/^\d+-/, 'SEQ-');
  return answer;
}

async function answerTo(name: Name): Promise<Answer> {
  const { statusCode, body } = await golden.app.inject({ url: PATHS[name] });
  expect(statusCode, body).toBe(200);
  return withoutSequence(JSON.parse(body) as Answer);
}
const fileOf = (name: Name): string => join(FOLDER, `${name}.json`);
const kept = (name: Name): Answer => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Answer;

describe('golden answers: UPDATE_GOLDEN=1 rewrites them; review every changed line before committing', () => {
  test.each(Object.keys(PATHS) as Name[])('%s equals its golden answer in full', async (name) => {
    const answer = await answerTo(name);
    if (MUST_WRITE) writeFileSync(fileOf(name), `${JSON.stringify(answer, null, 2)}\n`);
    expect(existsSync(fileOf(name)), `${name}.json is missing; run with UPDATE_GOLDEN=1`).toBe(true);
    expect(answer).toEqual(kept(name));
    // The order of fields is part of the golden answer, because people read it.
    expect(JSON.stringify(answer)).toBe(JSON.stringify(kept(name)));
  });
});

test('trap 14: every form of a host is answered with the same bytes', async () => {
  const plain = (await golden.app.inject({ url: asked(GOLDEN.domain) })).body;
  for (const form of ['https://login-check.com/', 'hxxp://login-check[.]com', 'LOGIN-CHECK.COM.'])
    expect((await golden.app.inject({ url: asked(form) })).body, form).toBe(plain);
});

/** Fields of contract 2.1, 2.2, 2.5 and 2.6, without `otx`, which needs a live lookup. */
const CONTRACT_FIELDS = `
malicious blocklistHits blocklistListed sources infrastructure.attributes infrastructure.sources.id
infrastructure.sources.name infrastructure.sources.category infrastructure.sources.threatClass
reputation.malicious reputation.suspicious reputation.harmless reputation.undetected
riskScore.score riskScore.level riskScore.summary riskScore.factors.name riskScore.factors.weight
riskScore.factors.score riskScore.factors.contribution riskScore.factors.description
confidence.score confidence.level classification.primary classification.secondary
geo.country geo.countryCode geo.city geo.region geo.lat geo.lon geo.isp whois certificates vulnerabilities
apiVersion enrichmentLevel dataTrust evidence lookupStatus
pwnedPassword.hashType pwnedPassword.count pwnedPassword.corpusUpdatedAt
sources.id sources.name sources.type sources.category sources.categories sources.threatClass sources.fpRisk
sources.matchType
dataTrust.observedAt dataTrust.freshness dataTrust.dataAgeHours dataTrust.firstSeen dataTrust.lastSeen
dataTrust.lastUpdated dataTrust.sourceAgreement.count dataTrust.sourceAgreement.weightedStrength
dataTrust.sourceAgreement.level dataTrust.sourceAgreement.scannerDetections
dataTrust.sourceAgreement.scannerSuspicious dataTrust.sourceAgreement.scannerClean
dataTrust.sources.name dataTrust.sources.type dataTrust.sources.reliability dataTrust.sources.reliabilityLevel
dataTrust.sources.noiseProfile dataTrust.completeness.score dataTrust.completeness.present
dataTrust.completeness.missing dataTrust.providerAgreement.status dataTrust.providerAgreement.summary
dataTrust.providerAgreement.contradictorySignals
evidence.verdict evidence.score evidence.observedAt evidence.reasons evidence.contradictorySignals
evidence.sourceSummary.count evidence.sourceSummary.weightedStrength
evidence.sourceSummary.highReliabilityCount evidence.sourceSummary.noiseWarnings evidence.freshness
evidence.recommendedAction evidence.analystStatus
`
  .trim()
  .split(/\s+/);
/** Fields that the decisions add (G5, G6, G8-G10, G12, G14, G53, O2). */
const ADDED_FIELDS = `
query pending knownGood confidence.explanation classification.confidence classification.indicators.type
classification.indicators.category classification.indicators.description classification.indicators.weight
mitre.tactics.id mitre.techniques.id mitre.mitigations.id
geo.timezone geo.org geo.asn geo.network.isDatacenter geo.network.isTor geo.network.isProxy geo.network.isVpn
sources.status sources.confidenceBase sources.retentionDays sources.tags sources.entityTypes sources.format
dataTrust.sources.category dataTrust.sources.threatClass
dataTrust.completeness.facetFreshness.geo.fetchedAt dataTrust.completeness.facetFreshness.geo.freshness
dataTrust.completeness.facetFreshness.geo.dataAgeHours dataTrust.snapshotId
evidence.contradictorySignals.type evidence.contradictorySignals.severity
evidence.contradictorySignals.title evidence.contradictorySignals.description
evidence.confidence.score evidence.confidence.level evidence.dataAgeHours
`
  .trim()
  .split(/\s+/);

const pathsOfAll = (): ReadonlySet<string> =>
  new Set((Object.keys(PATHS) as Name[]).flatMap((name) => pathsIn(kept(name))));

describe('the goldens show the whole contract', () => {
  test('every field of contract 2.1, 2.2, 2.5 and 2.6 occurs in a golden answer', () => {
    const seen = pathsOfAll();
    expect(CONTRACT_FIELDS.filter((field) => !seen.has(field))).toEqual([]);
  });

  test('every field that the decisions add occurs in a golden answer', () => {
    const seen = pathsOfAll();
    expect(ADDED_FIELDS.filter((field) => !seen.has(field))).toEqual([]);
  });

  test('the points of every golden answer add up to its score', () => {
    type Scored = { riskScore?: { score: number; factors: { contribution: number }[] } };
    for (const name of Object.keys(PATHS) as Name[]) {
      const { riskScore } = kept(name) as Scored;
      if (riskScore === undefined) continue;
      const sum = riskScore.factors.reduce((before, { contribution }) => before + contribution, 0);
      expect(sum, name).toBe(riskScore.score);
    }
  });
});
