import { patternOf, type StixSubject } from './pattern.ts';
import { stixId, stixKindOf } from './stix-id.ts';
import { stixTime } from './stix-time.ts';

/** Facts about the subject. Times are milliseconds since the epoch, with microseconds as a fraction. */
export type StixFacts = {
  readonly verdict: 'safe' | 'unknown' | 'low' | 'medium' | 'high' | 'critical';
  readonly score: number;
  readonly confidence: number;
  /** Categories in any order; empty and repeated ones are left out. */
  readonly labels: readonly string[];
  readonly sources: number;
  readonly firstSeenMs: number | null;
  readonly lastSeenMs: number | null;
  readonly createdMs: number;
  /** Equal to `created` when absent. */
  readonly modifiedMs?: number;
  /** The earliest date that a source states for the subject, else the date of the source's data (O69). */
  readonly validFromMs: number;
  /** Left out when absent or not later than `validFromMs`, which STIX forbids. */
  readonly validUntilMs?: number;
  /** The id of the publishing identity; absent in an unsigned copy. */
  readonly createdByRef?: string;
  readonly markingRefs?: readonly string[];
  /** The id of an organization's own object; when absent, the id follows from the value. */
  readonly id?: string;
  /** Final: an object that was revoked never comes back (O12). */
  readonly isRevoked?: boolean;
  /** Reports about it, by source and address. */
  readonly reports?: readonly StixReport[];
};

export type StixReport = { readonly source_name: string; readonly url: string };

export type StixIndicator = {
  readonly type: 'indicator';
  readonly spec_version: '2.1';
  readonly id: string;
  readonly created_by_ref?: string;
  readonly created: string;
  readonly modified: string;
  readonly revoked?: true;
  readonly name: string;
  readonly indicator_types: readonly string[];
  readonly pattern: string;
  readonly pattern_type: 'stix';
  readonly pattern_version: '2.1';
  readonly valid_from: string;
  readonly valid_until?: string;
  readonly confidence: number;
  readonly labels?: readonly string[];
  readonly external_references?: readonly StixReport[];
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

/** The keys in the order of decisions 3.6. Empty lists are left out, because STIX 2.1 section 2.9 forbids them. */
export function toStixIndicator(subject: StixSubject, facts: StixFacts): StixIndicator {
  const {
    createdMs,
    modifiedMs = createdMs,
    validFromMs,
    validUntilMs,
    markingRefs = [],
    reports = [],
  } = facts;
  const labels = [...new Set(facts.labels.filter((label) => label !== ''))].sort();
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: facts.id ?? stixId(stixKindOf(subject.kind), subject.value),
    ...(facts.createdByRef !== undefined && { created_by_ref: facts.createdByRef }),
    created: stixTime(createdMs),
    modified: stixTime(Math.max(createdMs, modifiedMs)),
    ...(facts.isRevoked === true && { revoked: true as const }),
    name: subject.value,
    indicator_types: [indicatorTypeOf(facts.verdict)],
    pattern: patternOf(subject),
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: stixTime(validFromMs),
    ...(validUntilMs !== undefined && validUntilMs > validFromMs && { valid_until: stixTime(validUntilMs) }),
    confidence: percent(facts.confidence),
    ...(labels.length > 0 && { labels }),
    ...(reports.length > 0 && { external_references: reports }),
    ...(markingRefs.length > 0 && { object_marking_refs: markingRefs }),
    x_svc_score: percent(facts.score),
    x_svc_sources: facts.sources,
    ...(facts.firstSeenMs !== null && { x_svc_first_seen: stixTime(facts.firstSeenMs) }),
    ...(facts.lastSeenMs !== null && { x_svc_last_seen: stixTime(facts.lastSeenMs) }),
  };
}

/** An unlisted subject is not called malicious, and an unknown one is not called benign. */
function indicatorTypeOf(verdict: StixFacts['verdict']): string {
  if (verdict === 'unknown') return 'unknown';
  return verdict === 'safe' ? 'benign' : 'malicious-activity';
}

/** `bundleUuid` is random: a bundle has no identity, so its id is new each time. */
export const bundleOf = (objects: readonly object[], bundleUuid: string): StixBundle => ({
  type: 'bundle',
  id: `bundle--${bundleUuid}`,
  objects,
});

const percent = (value: number): number => Math.min(100, Math.max(0, Math.round(value)));
