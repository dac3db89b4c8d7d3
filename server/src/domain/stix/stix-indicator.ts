import { patternOf, type StixSubject } from './pattern.ts';
import { stixId } from './stix-id.ts';

/** What is known of the subject. Times are milliseconds since the epoch. */
export type StixFacts = {
  /** The word of `evidence.verdict`. */
  readonly verdict: 'safe' | 'unknown' | 'low' | 'medium' | 'high' | 'critical';
  /** 0 to 100, of the verdict. */
  readonly score: number;
  /** 0 to 100. */
  readonly confidence: number;
  /** Categories, without order; what is empty or doubled is left out. */
  readonly labels: readonly string[];
  /** How many sources list it. */
  readonly sources: number;
  readonly firstSeenMs: number | null;
  readonly lastSeenMs: number | null;
  readonly createdMs: number;
  /** As created when absent. */
  readonly modifiedMs?: number;
  readonly validFromMs: number;
  /** Left out when absent, or when it is not later than `validFromMs`, which STIX forbids. */
  readonly validUntilMs?: number;
  /** Id of the identity that says so; in a copy that nobody signs, absent. */
  readonly createdByRef?: string;
  readonly markingRefs?: readonly string[];
};

export type StixIndicator = {
  readonly type: 'indicator';
  readonly spec_version: '2.1';
  readonly id: string;
  readonly created_by_ref?: string;
  readonly created: string;
  readonly modified: string;
  readonly name: string;
  readonly indicator_types: readonly string[];
  readonly pattern: string;
  readonly pattern_type: 'stix';
  readonly pattern_version: '2.1';
  readonly valid_from: string;
  readonly valid_until?: string;
  readonly confidence: number;
  readonly labels?: readonly string[];
  readonly object_marking_refs?: readonly string[];
  readonly x_svc_score: number;
  readonly x_svc_sources: number;
  readonly x_svc_first_seen?: string;
  readonly x_svc_last_seen?: string;
};

export type StixBundle = {
  readonly type: 'bundle';
  readonly id: string;
  readonly objects: readonly object[];
};

/** Decisions 3.6, keys in that order. Lists that would be empty are left out: STIX 2.1 section 2.9 knows none. */
export function toStixIndicator(subject: StixSubject, facts: StixFacts): StixIndicator {
  const { createdMs, modifiedMs = createdMs, validFromMs, validUntilMs, markingRefs = [] } = facts;
  const labels = [...new Set(facts.labels.filter((label) => label !== ''))].sort();
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: stixId(subject.kind, subject.value),
    ...(facts.createdByRef !== undefined && { created_by_ref: facts.createdByRef }),
    created: stixTime(createdMs),
    modified: stixTime(Math.max(createdMs, modifiedMs)),
    name: subject.value,
    indicator_types: [indicatorTypeOf(facts.verdict)],
    pattern: patternOf(subject),
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: stixTime(validFromMs),
    ...(validUntilMs !== undefined && validUntilMs > validFromMs && { valid_until: stixTime(validUntilMs) }),
    confidence: percent(facts.confidence),
    ...(labels.length > 0 && { labels }),
    ...(markingRefs.length > 0 && { object_marking_refs: markingRefs }),
    x_svc_score: percent(facts.score),
    x_svc_sources: facts.sources,
    ...(facts.firstSeenMs !== null && { x_svc_first_seen: stixTime(facts.firstSeenMs) }),
    ...(facts.lastSeenMs !== null && { x_svc_last_seen: stixTime(facts.lastSeenMs) }),
  };
}

/** What nobody lists is not called malicious, and what nobody knows is not called benign. */
function indicatorTypeOf(verdict: StixFacts['verdict']): string {
  if (verdict === 'unknown') return 'unknown';
  return verdict === 'safe' ? 'benign' : 'malicious-activity';
}

/** `bundleUuid`: a random one; a bundle has no meaning of its own, so its id is new each time. */
export const bundleOf = (objects: readonly object[], bundleUuid: string): StixBundle => ({
  type: 'bundle',
  id: `bundle--${bundleUuid}`,
  objects,
});

/** O10: six digits, the last three of which we never know. */
export const stixTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

const percent = (value: number): number => Math.min(100, Math.max(0, Math.round(value)));
