import type { CheckEvent, CheckPhase, Evidence, RiskScore, SourceEntry } from '@assay/sdk';
import { afterHappening, type CheckState, type CheckTarget, started } from './check-state.ts';

export type Unmarked = Exclude<CheckEvent, { readonly type: 'error' }>;
type PhaseOf<K extends CheckPhase['type']> = Extract<CheckPhase, { readonly type: K }>['data'];

export const IP: CheckTarget = { type: 'ip', value: '185.220.101.34' };
export const NAME: CheckTarget = { type: 'domain', value: 'evil.example' };

export const source = (name: string, threatClass: SourceEntry['threatClass'] = 'threat'): SourceEntry => ({
  id: name.toLowerCase().replaceAll(' ', '-'),
  name,
  type: 'ip',
  category: 'bruteforce',
  categories: ['bruteforce'],
  threatClass,
  fpRisk: 'medium',
  matchType: 'exact',
  status: 'verified',
  confidenceBase: 75,
  retentionDays: 90,
  tags: [],
  entityTypes: ['ip'],
  format: 'text',
  dating: 'undated',
});

/** A first phase without the verdict, as older services send it, unless `of` has one. */
export const reputation = (of: Partial<PhaseOf<'reputation'>> = {}): Unmarked => {
  const data: Partial<PhaseOf<'reputation'>> = {
    query: IP.value,
    type: 'ip',
    malicious: false,
    blocklistHits: 2,
    blocklistListed: true,
    sources: [source('Log4j exploit sources'), source('Data-Shield')],
    reputation: { malicious: 0, suspicious: 2, harmless: 0, undetected: 0 },
    ...of,
  };
  return { type: 'reputation', data: data as PhaseOf<'reputation'> };
};

export const geo: NonNullable<PhaseOf<'basic'>['geo']> = {
  country: 'Germany',
  countryCode: 'DE',
  city: null,
  region: null,
  lat: null,
  lon: null,
  isp: 'Stiftung Erneuerbare Freiheit',
  timezone: null,
  org: 'Stiftung Erneuerbare Freiheit',
  asn: 60_729,
};

export const basic = (of: Partial<PhaseOf<'basic'>> = {}): Unmarked => ({
  type: 'basic',
  data: { geo, whois: null, certificates: null, vulnerabilities: null, ...of },
});

export const evidence = (of: Partial<Evidence> = {}): Evidence => ({
  verdict: 'medium',
  score: 48,
  confidence: { score: 79, level: 'high' },
  observedAt: '2026-11-15T16:10:41.000Z',
  reasons: [
    'Log4j exploit sources lists it for exploit attempts, last seen 40 hours ago.',
    'Data-Shield lists it for brute-force attempts, last seen 40 hours ago.',
  ],
  contradictorySignals: [],
  sourceSummary: { count: 2, weightedStrength: 1.1, highReliabilityCount: 2, noiseWarnings: [] },
  freshness: 'recent',
  dataAgeHours: 40,
  recommendedAction: 'review',
  analystStatus: 'new',
  ...of,
});

const WORDS: Readonly<Record<RiskScore['level'], string>> = {
  critical: 'Critical risk',
  high: 'High risk',
  medium: 'Suspicious',
  low: 'Reported',
  inconclusive: 'Not listed',
  safe: 'Known good',
};

export const riskScore = (score: number, level: RiskScore['level']): RiskScore => ({
  score,
  level,
  word: WORDS[level],
  summary: 'Listed by 2 sources.',
  factors: [],
});

export const insights = (of: Partial<PhaseOf<'insights'>> = {}): Unmarked => ({
  type: 'insights',
  data: {
    riskScore: riskScore(48, 'medium'),
    confidence: { score: 79, level: 'high', explanation: 'Two listings.' },
    classification: { primary: 'bruteforce', secondary: [], confidence: 40, indicators: [] },
    mitre: { tactics: [], techniques: [], mitigations: [] },
    dataTrust: {
      observedAt: '2026-11-15T16:10:41.000Z',
      freshness: 'recent',
      dataAgeHours: 40,
      firstSeen: '2026-04-23T00:00:00.000Z',
      lastSeen: '2026-11-14T00:00:00.000Z',
      lastUpdated: '2026-11-14T00:00:00.000Z',
      sourceAgreement: {
        count: 2,
        weightedStrength: 1.1,
        level: 'moderate',
        scannerDetections: 0,
        scannerSuspicious: 0,
        scannerClean: 0,
      },
      sources: [],
      completeness: { score: 38, present: ['reputation', 'sources'], missing: [], facetFreshness: {} },
      providerAgreement: { status: 'agreement', summary: 'They agree.', contradictorySignals: [] },
      snapshotId: '275-0-1',
    },
    evidence: evidence(),
    ...of,
  },
});

export const dns = (of: Partial<PhaseOf<'dns'>> = {}): Unmarked => ({
  type: 'dns',
  data: {
    hasSPF: true,
    hasDMARC: null,
    hasDKIM: null,
    nameserverCount: 2,
    isParked: false,
    a: ['192.0.2.7'],
    aaaa: [],
    mx: [],
    ns: ['ns1.example'],
    ...of,
  },
});

export const enrichment = (of: PhaseOf<'enrichment'> = {}): Unmarked => ({ type: 'enrichment', data: of });

export const done: Unmarked = {
  type: 'done',
  data: { apiVersion: 'v2', enrichmentLevel: 'full', processingTime: 130 },
};

/** A check after these phases, which arrive one per second from 1,000 ms on. */
export const stateAfter = (target: CheckTarget, phases: readonly Unmarked[]): CheckState =>
  phases.reduce<CheckState>(
    (state, phase, index) =>
      afterHappening(state, {
        kind: 'phase',
        phase: { ...phase, id: `m${index + 1}` },
        atMs: 1_000 * (index + 1),
      }),
    started(target, 0),
  );
