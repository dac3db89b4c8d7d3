import { familyNameOf } from '#domain/families/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { type StixSubject, stixTimeOfMicros, toStixIndicator } from '#domain/stix/index.ts';
import type { Change, NewVersion } from './object-store.ts';

/** TLP:WHITE and TLP:AMBER of the STIX 2.1 standard. */
export const TLP_WHITE = 'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9';
export const TLP_AMBER = 'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82';

const HOUR_US = 3_600_000_000;
const REPORTS_MAX = 10;
const FAMILIES_MAX = 10;

/** The subject of a stored text; null for what has no STIX pattern. */
export function stixSubjectOf(text: string): StixSubject | null {
  const parsed = parseIndicator(text);
  if (!parsed.ok) return null;
  const { indicator } = parsed;
  switch (indicator.kind) {
    case 'ip':
    case 'cidr':
    case 'domain':
    case 'url':
    case 'hash':
      return indicator;
    default:
      return null;
  }
}

/** The next version of an object; null for one that cannot be written as STIX. */
export function versionOf(change: Change, addedUs: number, createdByRef: string): NewVersion | null {
  return change.collections === 0
    ? lastVersionOf(change, addedUs)
    : currentVersionOf(change, addedUs, createdByRef);
}

function currentVersionOf(change: Change, addedUs: number, createdByRef: string): NewVersion | null {
  const subject = change.value === null ? null : stixSubjectOf(change.value);
  if (subject === null || change.level === null) return null;
  const createdUs = change.createdUs ?? addedUs;
  const untilUs = change.untilH * HOUR_US;
  const times = timesOf(change, createdUs / 1_000, addedUs / 1_000);
  const stix = toStixIndicator(subject, {
    verdict: change.level,
    score: change.score,
    confidence: change.confidence,
    labels: change.categories,
    sources: change.sources,
    ...times,
    createdMs: createdUs / 1_000,
    modifiedMs: addedUs / 1_000,
    // Shared objects always have it (O11); the judged end may lie before the date added, hence the maximum.
    validUntilMs: Math.max(untilUs, addedUs + 1) / 1_000,
    createdByRef,
    markingRefs: [TLP_WHITE],
    reports: (change.reports ?? []).slice(0, REPORTS_MAX),
  });
  const gone = ((change.was ?? 0) | (change.wasLeft ?? 0)) & ~change.collections;
  return {
    key: change.key,
    id: stix.id.slice('indicator--'.length),
    addedUs,
    createdUs,
    untilUs,
    leftUs: ((change.was ?? 0) & ~change.collections) === 0 ? (gone === 0 ? null : change.leftUs) : addedUs,
    collections: change.collections,
    leftCollections: gone,
    score: change.score,
    level: change.level,
    categories: change.categories,
    families: familiesOf(change),
    stix: JSON.stringify(stix),
  };
}

/**
 * The times of the sources, never of our publication (O69): what a source states, else the date of its data. A publisher's
 * clock may run ahead, so none is later than the version.
 */
function timesOf(
  { firstSeenMs, lastSeenMs, firstDataMs, lastDataMs }: Change,
  createdMs: number,
  modifiedMs: number,
): { readonly firstSeenMs: number | null; readonly lastSeenMs: number | null; readonly validFromMs: number } {
  const past = (ms: number | null): number | null => (ms === null ? null : Math.min(ms, modifiedMs));
  return {
    firstSeenMs: past(firstSeenMs),
    lastSeenMs: past(lastSeenMs ?? lastDataMs),
    validFromMs: past(firstSeenMs ?? firstDataMs) ?? createdMs,
  };
}

const familiesOf = ({ families }: Change): readonly string[] =>
  [...new Set((families ?? []).flatMap((name) => familyNameOf(name) ?? []))].sort().slice(0, FAMILIES_MAX);

/** The version that says the object left. Never a revocation: its id is fixed and addresses come back (O39). */
function lastVersionOf(change: Change, addedUs: number): NewVersion | null {
  if (change.stix === null || change.createdUs === null) return null;
  const before = JSON.parse(change.stix) as { id: string; x_svc_score: number; labels?: readonly string[] };
  const stix = {
    ...before,
    modified: stixTimeOfMicros(addedUs),
    // STIX demands a time later than `valid_from`, which is never later than an earlier version.
    valid_until: stixTimeOfMicros(addedUs),
  };
  return {
    key: change.key,
    id: before.id.slice('indicator--'.length),
    addedUs,
    createdUs: change.createdUs,
    untilUs: addedUs,
    leftUs: addedUs,
    collections: 0,
    leftCollections: (change.was ?? 0) | (change.wasLeft ?? 0),
    score: before.x_svc_score,
    level: 'inconclusive',
    categories: before.labels ?? [],
    families: [],
    stix: JSON.stringify(stix),
  };
}
