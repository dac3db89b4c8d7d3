import type { Listing } from '../../server/src/capabilities/corpus/index.ts';
import { parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { pastEntries } from './evaluation-data.ts';
import type { Judge, Sample } from './judge-corpus.ts';

export type C2Order = {
  readonly addresses: number;
  /** Groups of addresses with the same evidence whose members have at least two different dates. */
  readonly groups: number;
  /** Addresses with a higher score than a younger address of the same evidence. */
  readonly inverted: number;
  readonly examples: readonly string[];
};

type Dated = { readonly value: string; readonly day: number; readonly score: number };
const EXAMPLES_MAX = 10;
/** Points of difference that do not count: a list that repeats ThreatFox with its own date may move a score by one. */
const ROUNDING = 1;
const THREATFOX = 'threatfox';
const ABUSE_CH = 'abuse-ch';

/** ThreatFox and lists that repeat it. Other lists date an address themselves, which would affect the order. */
const isOfThreatFox = ({ source }: Listing): boolean =>
  source.id === THREATFOX || source.lineage === ABUSE_CH || source.echoes.ip === ABUSE_CH;

/**
 * Checks that of two addresses with the same evidence the one that ThreatFox named later does not have the lower score.
 * Only ThreatFox and lists that repeat it accuse these addresses, and the same guards cover them. The dates are those
 * of ThreatFox's history, never those of the corpus.
 */
export async function measureC2Order(judge: Pick<Judge, 'sample'>, data: string): Promise<C2Order> {
  const groups = new Map<string, Dated[]>();
  let addresses = 0;
  for await (const { value, periods } of pastEntries(data, 'threatfox-ips')) {
    const last = periods.at(-1);
    const parsed = parseIndicator(value);
    if (last?.from == null || last.to !== null || !parsed.ok) continue;
    const sample = judge.sample(parsed.indicator);
    if (!sample.own.some(({ source }) => source.id === THREATFOX) || !sample.threats.every(isOfThreatFox))
      continue;
    addresses += 1;
    const evidence = evidenceOf(sample);
    const group = groups.get(evidence) ?? [];
    group.push({ value, day: last.from, score: sample.assessment.verdict.riskScore.score });
    groups.set(evidence, group);
  }
  const compared = [...groups.values()].filter((group) => new Set(group.map(({ day }) => day)).size > 1);
  const inverted = compared.flatMap(invertedOf);
  return {
    addresses,
    groups: compared.length,
    inverted: inverted.length,
    examples: inverted.slice(0, EXAMPLES_MAX),
  };
}

const evidenceOf = ({ assessment }: Sample): string =>
  [
    ...assessment.listings.map(
      ({ source, matchType, prefixBits = '', isDelisted = false }) =>
        `${source.id} ${matchType}${prefixBits} ${isDelisted}`,
    ),
    ...assessment.context.guards.map(({ guard }) => guard),
  ]
    .sort()
    .join(', ');

/** Addresses that wrongly score above one seen on a later day. Goes back in time with the lowest score so far. */
function invertedOf(group: readonly Dated[]): readonly string[] {
  const found: string[] = [];
  let lowest: Dated | null = null;
  let day: Dated[] = [];
  for (const dated of [...group].sort((a, b) => b.day - a.day || a.score - b.score)) {
    if (day[0]?.day !== dated.day) {
      lowest = [...day, ...(lowest === null ? [] : [lowest])].sort((a, b) => a.score - b.score)[0] ?? null;
      day = [];
    }
    day.push(dated);
    if (lowest !== null && dated.score > lowest.score + ROUNDING)
      found.push(`${dated.value} ${dated.score} above ${lowest.value} ${lowest.score}`);
  }
  return found;
}
