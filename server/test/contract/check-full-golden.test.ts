import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LivePeers } from '#test/live-peers.ts';
import { GOLDEN } from '../golden/golden-corpus.ts';
import { goldenContext, startGoldenPeers, tellPeers } from '../golden/golden-live.ts';
import { type GoldenService, startGolden } from '../golden/golden-service.ts';
import { pathsIn } from '../golden/paths-in.ts';

const FOLDER = join(import.meta.dirname, '../golden');
const MUST_WRITE = process.env.UPDATE_GOLDEN === '1';
/** Long enough for a second attempt of a live lookup: a failed one is tried again after a minute. */
const PATIENT = { timeout: 120_000, interval: 500 };

const TARGETS = { ip: GOLDEN.ip, domain: GOLDEN.domain, url: GOLDEN.url, hash: GOLDEN.knownHash } as const;
type Kind = keyof typeof TARGETS;
const KINDS = Object.keys(TARGETS) as Kind[];

let peers: LivePeers;
let golden: GoldenService;
beforeAll(async () => {
  peers = await startGoldenPeers();
  tellPeers(peers);
  golden = await startGolden(goldenContext(peers));
});
afterAll(async () => {
  await golden?.close();
  await peers?.close();
});

type Answer = Record<string, unknown> & {
  readonly dataTrust: { snapshotId: string; completeness: { present: string[]; missing: string[] } };
};

async function answerTo(kind: Kind): Promise<Answer> {
  const url = `/check?query=${encodeURIComponent(TARGETS[kind])}&enrichment=full`;
  const { statusCode, body } = await golden.app.inject({ url });
  expect(statusCode, body).toBe(200);
  // The port of the peer differs from run to run.
  const answer = JSON.parse(body.replaceAll(peers.otx.url, 'https://otx.example')) as Answer;
  // The first part counts changes of the whole database, which is not part of the contract.
  answer.dataTrust.snapshotId = answer.dataTrust.snapshotId.replace(/^\d+-/, 'SEQ-');
  return answer;
}
const fileOf = (kind: Kind): string => join(FOLDER, `full-${kind}.json`);
const kept = (kind: Kind): Answer => JSON.parse(readFileSync(fileOf(kind), 'utf8')) as Answer;

describe('golden answers at full: UPDATE_GOLDEN=1 rewrites them', () => {
  test.each(KINDS)('%s equals its golden answer in full', async (kind) => {
    let answer = await answerTo(kind);
    if (MUST_WRITE) writeFileSync(fileOf(kind), `${JSON.stringify(answer, null, 2)}\n`);
    expect(existsSync(fileOf(kind)), `full-${kind}.json is missing; run with UPDATE_GOLDEN=1`).toBe(true);
    // An answer lacks a fact that came after its deadline; the next answer has it.
    const asked = async () => {
      answer = await answerTo(kind);
      return answer;
    };
    await expect.poll(asked, PATIENT).toEqual(kept(kind));
    expect(JSON.stringify(answer)).toBe(JSON.stringify(kept(kind)));
  });
});

const words = (text: string): string[] => text.trim().split(/\s+/);
/** Fields that a live lookup adds for a host (contract 2.3). */
const HOST_FIELDS = words(`
whois.registrar whois.registrant whois.createdDate whois.updatedDate whois.expiresDate whois.nameServers
certificates.issuer certificates.subject certificates.validFrom certificates.validTo certificates.serialNumber
certificates.fingerprint`);
const ADDRESS_FIELDS = words(`
vulnerabilities.total vulnerabilities.critical vulnerabilities.high vulnerabilities.medium vulnerabilities.low
vulnerabilities.cves.id vulnerabilities.cves.severity vulnerabilities.cves.score
vulnerabilities.cves.description`);
/** Fields of `otx` (contract 2.4). */
const OTX_FIELDS = words(`
otx.source otx.fetchedAt otx.pulseCount otx.moreCount otx.reputationScore otx.pulses.id otx.pulses.name
otx.pulses.description otx.pulses.tags otx.pulses.tlp otx.pulses.modified otx.pulses.references
otx.pulses.authorUsername otx.pulses.subscriberCount otx.pulses.pulseUrl`);
const OTX_IP_FIELDS = words(`
otx.labsReputation.source otx.labsReputation.fetchedAt otx.labsReputation.score otx.labsReputation.countryName
otx.labsReputation.malwareSampleCount otx.labsReputation.urlCount`);
const OTX_DNS_FIELDS = words(`
otx.passiveDns.source otx.passiveDns.fetchedAt otx.passiveDns.totalRecords otx.passiveDns.moreCount
otx.passiveDns.records.hostname otx.passiveDns.records.address otx.passiveDns.records.recordType
otx.passiveDns.records.firstSeen otx.passiveDns.records.lastSeen`);
const OTX_FILE_FIELDS = words(`
otx.fileAnalysis.source otx.fileAnalysis.fetchedAt otx.fileAnalysis.fileClass otx.fileAnalysis.fileType
otx.fileAnalysis.size otx.fileAnalysis.yara otx.fileAnalysis.moreCount`);
/** Fields that `full` adds (decisions G6). */
const FULL_FIELDS = words(`
timeline.firstSeen timeline.lastSeen timeline.trend timeline.totalDetections
relatedInfrastructure.sameSubnet relatedInfrastructure.sameASN relatedInfrastructure.sameRegistrar
relatedInfrastructure.sameNameserver relatedInfrastructure.sharedCertificate
relatedInfrastructure.resolvedDomains relatedInfrastructure.totalRelated
relatedInfrastructure.riskAssessment.level relatedInfrastructure.riskAssessment.reason
relatedInfrastructure.fetchedAt`);
const NAME_FIELDS = words(`
dns.hasSPF dns.hasDMARC dns.hasDKIM dns.nameserverCount dns.isParked technologies.name technologies.version
technologies.category technologies.source`);
const GEO_FIELDS = words('geo.country geo.countryCode geo.city geo.region geo.lat geo.lon geo.isp');

const MUST_HAVE: Readonly<Record<Kind, readonly string[]>> = {
  ip: [
    ...HOST_FIELDS,
    ...ADDRESS_FIELDS,
    ...OTX_FIELDS,
    ...OTX_IP_FIELDS,
    ...OTX_DNS_FIELDS,
    ...FULL_FIELDS,
    ...GEO_FIELDS,
  ],
  domain: [...HOST_FIELDS, ...OTX_FIELDS, ...OTX_DNS_FIELDS, ...FULL_FIELDS, ...NAME_FIELDS, ...GEO_FIELDS],
  url: [...HOST_FIELDS, ...OTX_FIELDS, ...FULL_FIELDS, ...NAME_FIELDS, ...GEO_FIELDS],
  hash: [...OTX_FIELDS, ...OTX_FILE_FIELDS, ...FULL_FIELDS],
};

describe('the goldens show the whole contract', () => {
  test.each(KINDS)('%s has every field of contract 2.3, 2.4 and decisions G6 that applies to it', (kind) => {
    const seen = new Set(pathsIn(kept(kind)));
    expect(MUST_HAVE[kind].filter((field) => !seen.has(field))).toEqual([]);
  });

  test('an address and a name that every provider knows have every field that applies to them', () => {
    expect(kept('ip').dataTrust.completeness.missing).toEqual(['dns']);
    expect(kept('domain').dataTrust.completeness.missing).toEqual(['vulnerabilities']);
    for (const kind of KINDS) expect(kept(kind)).toMatchObject({ enrichmentLevel: 'full' });
  });

  test('an indicator that a scanner reports is malicious by scanner signal', () => {
    const { sources, malicious } = kept('domain') as Answer & {
      sources: { id: string }[];
      malicious: boolean;
    };
    expect(sources.map(({ id }) => id)).toContain('live-scanner');
    expect(malicious).toBe(true);
  });
});
