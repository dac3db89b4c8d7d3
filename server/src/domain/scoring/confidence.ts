import { type CorpusFacts, isName } from './facts.ts';
import { type Findings, hasSeriousGrade } from './findings.ts';
import { isAccusing } from './ladder.ts';
import { MODEL } from './model.ts';
import type { ConfidenceLevel, Verdict } from './verdict.ts';
import { reliabilityOf } from './weigh-opinion.ts';
import { countOf } from './wording.ts';

/** How far the answer can be relied on, 0 to 100 (scoring 6). */
export function confidenceOf(findings: Findings): Verdict['confidence'] {
  // If accusations do not count, the answer rests on the search and the vouchers, so these are rated instead.
  const raw = isAccusing(findings.level) ? ofAccused(findings) : ofOthers(findings);
  const score = Math.round(Math.min(100, Math.max(0, raw)));
  return { score, level: levelOfConfidence(score), explanation: explain(findings) };
}

export function levelOfConfidence(score: number): ConfidenceLevel {
  const { medium, high } = MODEL.confidence;
  if (score >= high) return 'high';
  return score >= medium ? 'medium' : 'low';
}

function ofAccused(findings: Findings): number {
  const { of, scored } = findings;
  const { agreement, agreementRate, freshness, reliability, coverage, conflict } = MODEL.confidence;
  const agreed = 1 - Math.exp(-agreementRate * scored.evidence);
  return (
    agreement * agreed +
    freshness * meanOf(findings, ({ weight }) => weight.freshness) +
    reliability * meanOf(findings, ({ opinion }) => reliabilityOf(opinion)) +
    coverage * of.corpus.coverage -
    (isConflicting(findings) ? conflict : 0)
  );
}

function meanOf(
  { scored }: Findings,
  measure: (counted: Findings['scored']['counted'][number]) => number,
): number {
  let sum = 0;
  let weights = 0;
  for (const counted of scored.counted) {
    sum += counted.weight.evidence * measure(counted);
    weights += counted.weight.evidence;
  }
  return weights > 0 ? sum / weights : 0;
}

/**
 * A source of grade A or B accuses a subject that another signal calls good. Only the accuser's grade is checked:
 * every list of good values in the catalogue has the letter C, so checking both sides would never find a conflict.
 */
export function isConflicting(findings: Findings): boolean {
  return (
    hasSeriousGrade(findings) &&
    findings.vouchers.some(
      ({ type, strength, isContested }) => isContested && strength !== 'faint' && type !== 'research_scanner',
    )
  );
}

function ofOthers(findings: Findings): number {
  const { of, standing, vouchers } = findings;
  const { unlistedCoverage, knownGood, unlistedMax, conflict } = MODEL.confidence;
  // No unlisted subject has a higher confidence than a reserved address, because RFCs fix these.
  if (standing === 'reserved') return unlistedMax;
  const vouched = vouchers.some(({ isGood }) => isGood) ? knownGood : 0;
  const searched = unlistedCoverage * of.corpus.coverage * of.corpus.corpusFresh;
  // A file that no source has seen is answered with low confidence, however much was searched (C16).
  const isUnseenFile = of.subject.kind === 'hash' && standing === 'unknown';
  const most = isUnseenFile ? MODEL.confidence.medium - 1 : unlistedMax;
  return Math.min(most, searched + vouched) - (isConflicting(findings) ? conflict : 0);
}

function explain(findings: Findings): string {
  const { of, standing, active } = findings;
  const loaded = loadedSentence(of.corpus);
  switch (standing) {
    case 'reserved':
      return `Which ${isName(of) ? 'names' : 'addresses'} are reserved is fixed by standards.`;
    case 'listed':
      return `${countOf(active.length, 'listing')} weighed by agreement, freshness and reliability${isConflicting(findings) ? '; another signal contradicts them' : ''}. ${loaded}`;
    case 'trace':
      return `Only former listings or listings of neighbours exist. ${loaded}`;
    case 'vouched':
      return `No threat list contains it; ${goodSentence(findings)}. ${loaded}`;
    case 'foreseen':
      return `No threat list contains it: signals predict a listing and prove nothing. ${loaded}`;
    default:
      return `No threat list and no allowlist contains it. ${loaded} This doesn't mean it is safe.`;
  }
}

/** How much of a complete corpus was searched. Only a complete one is called 100 %. */
function loadedSentence({ defaultShare, otherSources }: CorpusFacts): string {
  if (defaultShare === null)
    return `The catalogue has no default source for this kind; ${loadedOf(otherSources, 'source')}.`;
  const percent = defaultShare === 1 ? 100 : Math.min(99, Math.round(100 * defaultShare));
  const others = otherSources === 0 ? '' : `, and ${loadedOf(otherSources, 'other source')}`;
  return `Of the catalogue's default sources for this kind, ${percent} % by weight are loaded${others}.`;
}

const loadedOf = (count: number, what: string): string =>
  `${countOf(count, what)} ${count === 1 ? 'is' : 'are'} loaded`;

/** Names each list or service that calls it good. */
function goodSentence({ vouchers }: Findings): string {
  const good = vouchers.filter(({ isGood }) => isGood);
  const said = good.map(({ type, sourceName }) => {
    if (type === 'named_service') return `it belongs to the known service ${sourceName}`;
    return type === 'popular' ? `it is popular in ${sourceName}` : `it is allowlisted by ${sourceName}`;
  });
  return [...new Set(said)].join(', ');
}
