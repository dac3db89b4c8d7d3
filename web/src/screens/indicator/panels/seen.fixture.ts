import type { CheckSeen, PhaseOf, ReputationSeen, Target } from './check-seen.ts';

export const ADDRESS: Target = { type: 'ip', value: '192.0.2.1' };
export const NAME: Target = { type: 'domain', value: 'example.com' };

export const reputation = (over: Partial<ReputationSeen> = {}): ReputationSeen => ({
  query: ADDRESS.value,
  type: 'ip',
  malicious: false,
  blocklistHits: 0,
  blocklistListed: false,
  sources: [],
  reputation: { malicious: 0, suspicious: 0, harmless: 0, undetected: 0 },
  ...over,
});

export const basic = (over: Partial<PhaseOf<'basic'>> = {}): PhaseOf<'basic'> => ({
  geo: null,
  whois: null,
  certificates: null,
  vulnerabilities: null,
  ...over,
});

export const dns = (over: Partial<PhaseOf<'dns'>> = {}): PhaseOf<'dns'> => ({
  hasSPF: true,
  hasDMARC: false,
  hasDKIM: null,
  nameserverCount: 2,
  isParked: false,
  a: ['192.0.2.1'],
  aaaa: [],
  mx: [],
  ns: ['ns1.example.com'],
  ...over,
});

export const DONE: PhaseOf<'done'> = { apiVersion: 'v2', enrichmentLevel: 'full', processingTime: 12 };

export const WHOIS: NonNullable<PhaseOf<'basic'>['whois']> = {
  registrar: 'Registrar Ltd',
  registrant: null,
  createdDate: '2026-11-03T00:00:00Z',
  updatedDate: null,
  expiresDate: null,
  nameServers: [],
  status: [],
  handle: null,
  source: 'rdap',
};

export const GEO: NonNullable<PhaseOf<'basic'>['geo']> = {
  country: 'Germany',
  countryCode: 'DE',
  city: null,
  region: null,
  lat: null,
  lon: null,
  isp: null,
  timezone: null,
  org: 'Example Org',
  asn: 64500,
};

export const running = (target: Target, phases: Partial<CheckSeen> = {}): CheckSeen => ({
  target,
  startedAtMs: 0,
  isOver: false,
  reputation: reputation({ type: target.type }),
  ...phases,
});

export const finished = (target: Target, phases: Partial<CheckSeen> = {}): CheckSeen => ({
  ...running(target, phases),
  isOver: true,
  basic: phases.basic ?? basic(),
  enrichment: phases.enrichment ?? {},
  done: DONE,
});
