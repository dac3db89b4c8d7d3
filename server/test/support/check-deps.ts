import type { CheckDeps, StreamMarkDeps } from '#capabilities/check/index.ts';
import type { Corpus, Listing, Source } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK, type NetworkBook } from '#capabilities/enrichment/index.ts';
import { createMissCache } from '#capabilities/judging/index.ts';
import {
  everyFacet,
  type FacetName,
  type LiveContext,
  type LiveContexts,
  missing,
  type Outcome,
} from '#capabilities/providers/index.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { createSecrets } from '#platform/secrets.ts';
import { registrySource } from './registry.ts';

export const NOW_MS = Date.UTC(2026, 7, 22, 12);
const HOUR_S = 3_600;
const fresh = { lastFetchAtS: NOW_MS / 1_000 - HOUR_S, dataAtS: NOW_MS / 1_000 - HOUR_S };
const feed = registrySource({ ...fresh, number: 1, category: 'malware', letter: 'B', reliability: 0.75 });
const network = registrySource({ ...fresh, number: 2, name: 'Bad networks', category: 'hijacked-netblock' });

/** The listed values, each with its source: a threat list or a list of networks. */
const LISTED: Readonly<Record<string, Source>> = {
  '45.155.205.233': feed,
  '45.155.205.9': feed,
  '45.155.204.7': feed,
  'evil.com': feed,
  ['ab'.repeat(32)]: feed,
  AS64500: network,
};

export function indicatorOf(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}

const listing = (source: Source, matched: string): Listing => ({
  source,
  matchType: 'exact',
  matched,
  firstSeenS: NOW_MS / 1_000 - 48 * HOUR_S,
  dating: 'own',
  hasOwnLastSeen: true,
  lastSeenS: NOW_MS / 1_000 - HOUR_S,
  confidence: -1,
});

const registry = { version: '00000000', sources: [feed, network] };
export const CORPUS: Corpus = {
  seq: () => 1,
  lookup: ({ value }) => {
    const source = LISTED[value];
    return { seq: 1, registry, listings: source === undefined ? [] : [listing(source, value)] };
  },
  neighbourhood: () => ({ prefix: '', total: 0, listed: 0 }),
  accusedWithin: ({ value }, limit) => {
    const subnet = ['45.155.205.9', '45.155.205.233'];
    const inside = { '45.155.205.0/24': subnet, '45.155.204.0/22': ['45.155.204.7', ...subnet] }[value] ?? [];
    return {
      addresses: inside.slice(0, limit),
      total: inside.length,
      space: value.endsWith('/24') ? 256 : 1_024,
    };
  },
};

const geo = {
  country: 'Netherlands',
  countryCode: 'NL',
  city: 'Amsterdam',
  region: null,
  lat: 52.37,
  lon: 4.9,
};
export const BOOK: NetworkBook = {
  ...EMPTY_BOOK,
  networkOf: ({ value }) =>
    value === '45.155.205.233' ? { asn: 64_500, name: 'Example', prefix: '45.155.204.0/22' } : null,
  geoOf: ({ value }) =>
    value.startsWith('45.') ? { ...geo, isp: 'Example', timezone: null, org: null, asn: 64_500 } : null,
  geoAtMs: NOW_MS - 1_000,
};

export const found = <V>(value: V, ageMs = 0, isStale = false): Outcome<V> => ({
  state: 'found',
  value,
  fetchedAtMs: NOW_MS - ageMs,
  isStale,
});

const OFF = missing('off');
/** The live context of a check without any live lookup. */
export const NOBODY: LiveContext = everyFacet(OFF);

export const WHOIS = {
  registrar: 'Example Registrar',
  registrant: null,
  createdDate: '2020-01-01T00:00:00.000Z',
  updatedDate: null,
  expiresDate: null,
  nameServers: ['ns1.evil.com'],
  status: [],
  handle: null,
  source: 'rdap',
} as const;
export const OTX = {
  source: 'otx',
  fetchedAt: '2026-08-22T12:00:00.000Z',
  pulseCount: 0,
  moreCount: 0,
  reputationScore: null,
  pulses: [],
  passiveDns: { source: 'otx', fetchedAt: '', totalRecords: 0, moreCount: 0, records: [] },
};
export const DNS = {
  hasSPF: true,
  hasDMARC: false,
  hasDKIM: null,
  nameserverCount: 1,
  isParked: false,
  a: ['45.155.205.9'],
  aaaa: [],
  mx: [{ exchange: 'mx.evil.com', priority: 10 }],
  ns: ['ns1.evil.com'],
  spf: 'v=spf1 -all',
  dmarc: null,
  dmarcPolicy: null,
  mxValid: true,
  grade: 'C',
} as const;

export type Gathering = LiveContexts & {
  /** The calls so far, as `gather full` or `remembered`. */
  readonly calls: string[];
  readonly signals: AbortSignal[];
};

/** Live lookups that answer after the given ms each, or at once by default. */
export function gathering(
  answers: Partial<LiveContext>,
  delays: Partial<Record<FacetName, number>> = {},
): Gathering {
  const whole: LiveContext = { ...NOBODY, ...answers };
  const calls: string[] = [];
  const signals: AbortSignal[] = [];
  return {
    isOn: true,
    plan: () => ({ asked: ['rdap'], off: ['dns'] }),
    calls,
    signals,
    remembered: async () => {
      calls.push('remembered');
      return whole;
    },
    gather: async (_subject, { level, only = [], budgetMs, signal, onFacet }) => {
      calls.push(['gather', level, budgetMs, ...only].join(' '));
      if (signal !== undefined) signals.push(signal);
      const late: LiveContext = { ...whole };
      await Promise.all(
        (Object.keys(whole) as FacetName[]).map(async (facet) => {
          const delayMs = delays[facet] ?? 0;
          if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(delayMs, budgetMs)));
          const outcome = delayMs > budgetMs ? { state: 'missing', reason: 'deadline' } : whole[facet];
          Object.assign(late, { [facet]: outcome });
          onFacet?.(facet, outcome as never);
        }),
      );
      return late;
    },
  };
}

export function checkDeps(parts: Partial<CheckDeps & StreamMarkDeps> = {}): CheckDeps & StreamMarkDeps {
  const clock = { now: () => NOW_MS, monotonic: () => performance.now() };
  return {
    corpus: CORPUS,
    misses: createMissCache(clock),
    clock,
    enrichment: { book: () => BOOK, attack: () => null, attackAt: async () => null },
    passwords: { find: () => null },
    secrets: createSecrets(`1:${'s'.repeat(32)}`),
    ...parts,
  };
}
