import { caseOf, GRADE_A, listingOf, NOW_H, SUBJECT, sourceOf } from './case.fixture.ts';
import type { Case, ContextFacts, GuardName, ListingFacts, MatchType, Subject } from './facts.ts';

/** Derives several choices from one number, so that a generator makes a listing from two numbers and shrinks well. */
function chooser(of: number): <T>(choices: readonly T[]) => T {
  let left = of;
  return (choices) => {
    const choice = choices[left % choices.length] as (typeof choices)[number];
    left = Math.floor(left / choices.length);
    return choice;
  };
}

const RELIABILITIES = [0, 0.2, 0.35, 0.5, 0.75, 0.8, 0.95, 1];
/** Edge cases of decay: ahead of the clock, around the grace, one and many half-lives, around the end. */
const AGES_H = [-5, 0, 1, 2, 3, 72, 168, 409, 1_000, 9_000];
const CATEGORIES = [
  ['c2', 'malware', 'phishing', 'ransomware', 'hijacked-netblock', 'apt'],
  ['botnet', 'exploit', 'bruteforce', 'scam', 'fraud', 'ddos'],
  ['spam', 'scanner', 'abuse', 'aggregate', 'never-heard-of'],
] as const;
export const NUISANCES: readonly string[] = CATEGORIES[2];
const MATCHES: readonly MatchType[] = ['exact', 'exact', 'cidr', 'alias', 'parent', 'page', 'child', 'site'];
const PREFIXES = [0, 8, 16, 24, 30, 32, 48, 64, 128];

export function generatedListing(index: number, who: number, what: number): ListingFacts {
  const source = chooser(who);
  const entry = chooser(what);
  const category = source(source(CATEGORIES));
  const letter = source(['A', 'B', 'C', 'F']);
  const matchType = entry(MATCHES);
  const delisted = entry([false, false, false, true]);
  return listingOf(
    sourceOf(`s${index}`, {
      number: index + 1,
      category,
      categories: [category],
      letter,
      reliability: letter === 'A' ? GRADE_A.reliability : source(RELIABILITIES),
      fpRisk: source(['low', 'medium', 'high']),
      lineage: source([null, 'one', 'two']),
      cluster: source([null, null, null, 'measured']),
      aggregate: source([false, false, false, true]),
      threatClass: source(['threat', 'threat', 'threat', 'threat', 'threat', 'threat', 'threat', 'policy']),
      adOnly: source([false, false, false, false, false, true]),
      signal: source(['feed', 'feed', 'scanner']),
      semantics: source(['state', 'state', 'window', 'archive']),
      keepsEntries: source([false, false, false, true]),
      cidrSemantics: entry(['observed', 'observed', 'owned']),
      intervalS: entry([3_600, 86_400]),
    }),
    {
      ageH: entry(AGES_H),
      matchType,
      matched: entry([SUBJECT.value, 'something else']),
      ...(matchType === 'cidr' && { prefixBits: entry(PREFIXES) }),
      ...(delisted && { isDelisted: true }),
      dating: entry(['own', 'own', 'sighted', 'undated']),
      hasOwnLastSeen: entry([true, false]),
    },
  );
}

const SUBJECTS: readonly Subject[] = [
  SUBJECT,
  { kind: 'ip', value: SUBJECT.value, ipVersion: 6 },
  { kind: 'domain', value: SUBJECT.value },
  { kind: 'url', value: SUBJECT.value },
  { kind: 'url', value: SUBJECT.value, ipVersion: 4 },
  { kind: 'hash', value: SUBJECT.value },
  { kind: 'email', value: SUBJECT.value },
];
const GUARDS: readonly GuardName[] = [
  'named-service',
  'service',
  'shared-egress',
  'scanner',
  'anonymity',
  'known-good',
  'popularity',
  'platform',
];

/** Half of the cases have no guard; in the others each guard is present with a chance of one in three. */
export function generatedContext(of: number): ContextFacts {
  const choose = chooser(of);
  const isGuarded = choose([false, true]);
  const rankBucket = choose([null, 1_000, 10_000, 100_000, 1_000_000] as const);
  const guards = GUARDS.flatMap((guard) => {
    const scope = choose(['none', 'itself', 'host'] as const);
    return isGuarded && scope !== 'none'
      ? [{ guard, scope, sourceId: `${guard}-list`, matched: SUBJECT.value }]
      : [];
  });
  const isReserved = choose([false, false, false, false, false, false, false, true]);
  return {
    guards,
    inheritedGuards: choose([
      [],
      [],
      [{ guard: 'popularity', matched: 'something else', sourceId: 'popularity-list', rankBucket: 10_000 }],
    ] as const),
    rankBucket: isGuarded ? rankBucket : null,
    platform: null,
    isTenantSuffix: choose([false, false, false, true]),
    isReserved,
    service: guards.some(({ guard }) => guard === 'named-service')
      ? { name: 'Some resolver', operator: 'Somebody', kind: 'resolver', vouches: true }
      : null,
    popularKinds: choose([[], ['queries'], ['mixed', 'queries'], ['links', 'mixed']] as const),
  };
}

export function generatedCase(
  listings: readonly (readonly [who: number, what: number])[],
  context: number,
  rest: number,
): Case {
  const choose = chooser(rest);
  return caseOf({
    subject: choose(SUBJECTS),
    listings: listings.map(([who, what], index) => generatedListing(index, who, what)),
    context: generatedContext(context),
    asn: choose([null, null, { asn: 64_500, sourceId: 'asn-drop', sourceName: 'ASN-DROP' }]),
    corpus: {
      coverage: choose([0, 0.5, 1]),
      defaultShare: choose([null, 0, 0.5, 1]),
      otherSources: choose([0, 1, 2]),
      corpusFresh: choose([0, 0.5, 1]),
      freshSources: choose([0, 1, 40]),
      freshScanners: choose([0, 3]),
      newestDataH: choose([0, NOW_H, NOW_H - 200]),
    },
  });
}
