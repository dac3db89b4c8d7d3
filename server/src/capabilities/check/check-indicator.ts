import type { Corpus, Listing } from '#capabilities/corpus/index.ts';
import { type Indicator, type Ip, specialPurposeOf } from '#domain/indicator/index.ts';
import type { CheckResult, Infrastructure, SourceEntry } from './contract.ts';
import type { MissCache } from './miss-cache.ts';
import { closestPerSource, isScannerVerdict, isThreatOpinion } from './weigh-listings.ts';

export type CheckDeps = { readonly corpus: Corpus; readonly misses: MissCache };

const NO_LISTINGS: readonly Listing[] = [];

/** One check at `basic`: gather from the replica, judge, present. Needs no network. */
export function checkIndicator(deps: CheckDeps, indicator: Indicator): CheckResult {
  const subject = subjectOf(indicator);
  const listings = closestPerSource(gather(deps, indicator));
  const bogon = subject.kind === 'ip' ? bogonInfrastructure(subject) : null;
  const infrastructure = describeInfrastructure(listings, bogon);
  let blocklistHits = 0;
  let scannerHits = 0;
  for (const { source } of listings) {
    if (isThreatOpinion(source)) blocklistHits += 1;
    if (isScannerVerdict(source)) scannerHits += 1;
  }
  const result: CheckResult = {
    query: subject.value,
    malicious: scannerHits > 0,
    blocklistHits,
    blocklistListed: blocklistHits > 0,
    sources: listings.map(toSourceEntry),
    // G55: counts come from scanner-type sources; none of them answered is four zeros, never "harmless".
    reputation: { malicious: scannerHits, suspicious: 0, harmless: 0, undetected: 0 },
    geo: null,
    whois: null,
    certificates: null,
    vulnerabilities: null,
    apiVersion: 'v2',
    enrichmentLevel: 'basic',
    dataTrust: null,
    evidence: null,
  };
  // Set, not spread: a spread of nothing costs as much as the lookup.
  if (infrastructure !== null) result.infrastructure = infrastructure;
  if (indicator.kind === 'hash') result.lookupStatus = listings.length > 0 ? 'known' : 'unknown';
  return result;
}

/** Trap 14: a URL that names only a host asks about that host; its own exact listings still count. */
function subjectOf(indicator: Indicator): Indicator {
  return indicator.kind === 'url' && /^https?:\/\/[^/?]+\/$/.test(indicator.value)
    ? indicator.host
    : indicator;
}

function gather({ corpus, misses }: CheckDeps, indicator: Indicator): readonly Listing[] {
  if (indicator.kind !== 'hash') return corpus.lookup(indicator).listings;
  if (misses.has(indicator.value, corpus.seq())) return NO_LISTINGS;
  const answer = corpus.lookup(indicator);
  if (answer.listings.length === 0) misses.add(indicator.value, answer.seq);
  return answer.listings;
}

const toSourceEntry = ({ source, matchType }: Listing): SourceEntry => ({
  id: source.id,
  name: source.name,
  type: source.type,
  category: source.category,
  categories: source.categories as string[],
  threatClass: source.threatClass,
  fpRisk: source.fpRisk,
  matchType,
});

/** Contract 2.1: absent, not empty, when no listing says what the indicator is (trap 3). */
function describeInfrastructure(
  listings: readonly Listing[],
  bogon: Infrastructure | null,
): Infrastructure | null {
  let attributes: Set<string> | null = bogon === null ? null : new Set(bogon.attributes);
  const sources = bogon === null ? [] : [...bogon.sources];
  for (const { source } of listings) {
    if (source.threatClass === 'threat') continue;
    attributes ??= new Set();
    for (const attribute of source.attributes) attributes.add(attribute);
    if (source.attributes.length === 0) attributes.add(defaultAttribute(source));
    sources.push({
      id: source.id,
      name: source.name,
      category: source.category,
      threatClass: source.threatClass,
    });
  }
  return attributes === null ? null : { attributes: [...attributes].sort(), sources };
}

/** A source registered without words of its own still says something: its class or category (G7). */
const defaultAttribute = (source: Listing['source']): string =>
  source.threatClass === 'allowlist' ? 'allowlist' : source.category;

/** Decisions 3.1: a private or reserved address is answered as what it is. */
function bogonInfrastructure(ip: Ip): Infrastructure | null {
  const special = specialPurposeOf(ip);
  // 6to4, Teredo and their like are special but reach somebody: they are no bogons.
  if (special === null || special.isReachable) return null;
  const { name, rfc } = special;
  return {
    attributes: ['bogon'],
    sources: [
      {
        id: 'iana-special-purpose',
        name: `${name} (${rfc})`,
        category: 'bogon',
        threatClass: 'infrastructure',
      },
    ],
  };
}
