import type { Listing, Source } from '../../server/src/capabilities/corpus/index.ts';
import { parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { isThreat, scoreCategoryOf } from '../../server/src/domain/scoring/index.ts';
import type { Judge, Sample } from './judge-corpus.ts';
import { isAtLeast, type LevelCounts, noLevels, type PolicyCounts } from './level-counts.ts';

export type Named = {
  readonly value: string;
  readonly score: number;
  readonly level: string;
  readonly sources: readonly string[];
  readonly adjustments: readonly string[];
};

export type NegativeSet = {
  entries: number;
  readonly levels: LevelCounts;
  readonly policies: PolicyCounts;
  scored: number;
  /** The same hosts judged without the list that calls them good and its siblings. */
  readonly withoutOwnGuard: LevelCounts;
  /** Entries at medium and above (service addresses: high and above), strongest first, at most `NAMED_MAX`. */
  named: Named[];
};

/** The report names at most this many: more than a person reads, and a gate fails long before. */
const NAMED_MAX = 60;
/**
 * A rented server in a service's range may rightly be reviewed, so those are named from `high`. A Tor exit is no false
 * alarm at any level, so none is named.
 */
const NAMED_FROM: Readonly<Partial<Record<NegativeName, 'high' | null>>> = {
  'service-addresses': 'high',
  'tor-exits': null,
};
const CRITICAL: ReadonlySet<string> = new Set(['c2', 'malware', 'phishing', 'ransomware']);

const noNegatives = (): NegativeSet => ({
  entries: 0,
  levels: noLevels(),
  policies: { anyList: 0, twoLists: 0 },
  scored: 0,
  withoutOwnGuard: noLevels(),
  named: [],
});

/** Popular hosts, by the list that names them. Cloudflare's 10,000 are part of its 100,000. */
const POPULAR = {
  'tranco-10k': 'misp-tranco10k',
  'cloudflare-10k': 'misp-cloudflare-top10k',
  'cloudflare-100k': 'misp-cloudflare-top100k',
  'majestic-10k': 'misp-majestic-million',
  'moz-500': 'misp-moz-top500',
} as const;
/** Lists of hosts under which strangers get names, besides the public suffix list. */
const PLATFORMS = {
  'lots-project': 'misp-lots-project',
  'link-in-bio': 'misp-link-in-bio',
  'url-shortener': 'misp-url-shortener',
} as const;

export const NEGATIVE_SETS = [
  ...(Object.keys(POPULAR) as (keyof typeof POPULAR)[]),
  'popular-www',
  ...(Object.keys(PLATFORMS) as (keyof typeof PLATFORMS)[]),
  'psl-private-roots',
  'named-services',
  'service-addresses',
  'research-scanners',
  'research-scanners-critical',
  'tor-exits',
] as const;
export type NegativeName = (typeof NEGATIVE_SETS)[number];

const LISTS: ReadonlyMap<string, NegativeName> = new Map(
  [...Object.entries(POPULAR), ...Object.entries(PLATFORMS)].map(([name, id]) => [id, name as NegativeName]),
);
const POPULAR_IDS: ReadonlySet<string> = new Set(Object.values(POPULAR));
const TOR: ReadonlySet<string> = new Set(['tor-exits', 'tor-nodes-exits']);
const familyOf = (id: string): string => (id.startsWith('misp-cloudflare-top') ? 'misp-cloudflare-top' : id);

export class Negatives {
  readonly #sets = Object.fromEntries(NEGATIVE_SETS.map((name) => [name, noNegatives()])) as Record<
    NegativeName,
    NegativeSet
  >;
  readonly #judge: Judge;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /**
   * True when the sample belongs to a set that should not be blocked. Research scanners and Tor exits do not count,
   * because blocking them is a matter of policy.
   */
  add(sample: Sample): boolean {
    const { kind } = sample.indicator;
    if (isNamedService(sample) && !sample.threats.some(({ source }) => source.letter === 'A'))
      this.#count('named-services', sample);
    if (kind === 'domain') return this.#addHost(sample);
    if (kind === 'ip' || kind === 'cidr') return this.#addAddress(sample);
    return false;
  }

  /** Platform roots are not in the corpus, because no list may name them. */
  addPlatformRoot(sample: Sample): void {
    this.#count('psl-private-roots', sample);
  }

  #addHost(sample: Sample): boolean {
    let [isNegative, isPopular] = [false, false];
    for (const { source, matchType } of sample.assessment.listings) {
      const name = matchType === 'exact' ? LISTS.get(source.id) : undefined;
      if (name === undefined) continue;
      isNegative = true;
      isPopular ||= POPULAR_IDS.has(source.id);
      this.#count(name, sample, source);
    }
    if (isPopular) this.#addWithWww(sample);
    return isNegative;
  }

  /** People reach a popular site with and without `www.`, so a guard must hold for both names. */
  #addWithWww({ indicator }: Sample): void {
    const parsed = parseIndicator(`www.${indicator.value}`);
    if (parsed.ok) this.#count('popular-www', this.#judge.sample(parsed.indicator));
  }

  #addAddress(sample: Sample): boolean {
    const { listings, context } = sample.assessment;
    if (listings.some(({ source, matchType }) => matchType === 'exact' && TOR.has(source.id)))
      this.#count('tor-exits', sample);
    // Only accused addresses count: ranges contain millions that no source lists.
    if (sample.own.length === 0) return false;
    const guards = new Set(context.guards.map(({ guard }) => guard));
    if (guards.has('scanner'))
      this.#count(
        sample.threats.some(isCritical) ? 'research-scanners-critical' : 'research-scanners',
        sample,
      );
    if (guards.has('service')) this.#count('service-addresses', sample);
    return guards.has('service') || guards.has('shared-egress');
  }

  #count(name: NegativeName, sample: Sample, list?: Source): void {
    const set = this.#sets[name];
    const { score, level } = sample.assessment.verdict.riskScore;
    set.entries += 1;
    set.levels[level] += 1;
    if (score > 0) set.scored += 1;
    if (sample.threats.length >= 1) set.policies.anyList += 1;
    if (sample.threats.length >= 2) set.policies.twoLists += 1;
    const namedFrom = NAMED_FROM[name] === undefined ? 'medium' : NAMED_FROM[name];
    if (namedFrom !== null && isAtLeast(level, namedFrom)) set.named.push(nameOf(sample));
    if (list === undefined) return;
    const family = familyOf(list.id);
    const unguarded =
      sample.threats.length === 0
        ? sample.assessment
        : this.#judge.without(sample, ({ id }) => familyOf(id) === family);
    set.withoutOwnGuard[unguarded.verdict.riskScore.level] += 1;
  }

  settle(): Readonly<Record<NegativeName, NegativeSet>> {
    for (const set of Object.values(this.#sets)) {
      set.named.sort((a, b) => b.score - a.score || (a.value < b.value ? -1 : 1));
      set.named = set.named.slice(0, NAMED_MAX);
    }
    return this.#sets;
  }
}

/** A service of one operator without tenants (O53): a resolver, a crawler, a mail server. */
const isNamedService = ({ assessment }: Sample): boolean =>
  assessment.context.guards.some(
    ({ guard, scope }) => scope === 'itself' && (guard as string) === 'named-service',
  );

const isCritical = ({ source }: Listing): boolean => CRITICAL.has(scoreCategoryOf(source.category));

function nameOf({ indicator, assessment }: Sample): Named {
  const { score, level, factors } = assessment.verdict.riskScore;
  const accusing = assessment.listings.filter(isThreat);
  const ids = new Set(accusing.map(({ source }) => source.id));
  const points = new Map(factors.map(({ name, contribution }) => [name, contribution]));
  return {
    value: indicator.value,
    score,
    level,
    sources: accusing.map(
      ({ source, matchType, matched }) =>
        `${source.id} (${source.category}, ${matchType === 'cidr' ? matched : matchType}) ${points.get(source.id) ?? 0}`,
    ),
    adjustments: factors
      .filter(({ name }) => !ids.has(name))
      .map(({ name, contribution }) => `${name} ${contribution}`),
  };
}
