import type { NewAlert } from '#capabilities/alerts/index.ts';
import { type AlertType, type Severity, severityOfType } from '#domain/alerts/index.ts';
import type { Facet, ReputationChange, Stood } from '#domain/monitoring/index.ts';
import { isAccusing, rungOfLevel } from '#domain/scoring/index.ts';
import type { Accusation, Judged } from './judge-target.ts';
import type { EntityType } from './target.ts';
import type { FacetState } from './target-store.ts';

/** A watched item that an alert is about. */
export type Watched = {
  readonly id: string;
  readonly accountId: string;
  readonly notify: boolean;
  readonly entityType: EntityType;
  readonly value: string;
};

/** The name of a source by its number, or a general name for a source that was removed. */
export type SourceNames = (number: number) => string;

const NAMES_MAX = 3;

const base = (
  { id, accountId, notify, entityType, value }: Watched,
  type: AlertType,
  severity: Severity,
  detail: string,
) =>
  ({
    accountId,
    type,
    severity,
    entity: { type: entityType, value },
    detail,
    source: 'monitoring',
    monitorId: id,
    notify,
  }) as const;

/** The word of the former verdict. Where the level does not decide it, the level itself: words are not stored. */
function formerWord({ level, isMalicious, sources }: Change['before']): string {
  if (!isAccusing(level) || (level === 'low' && sources.length === 0)) return `the level ${level}`;
  return rungOfLevel(level, { isMalicious, listed: 'now' }).word;
}

export type Change = {
  readonly change: ReputationChange;
  readonly before: Pick<Stood, 'level' | 'isMalicious'> & {
    readonly score: number | null;
    readonly sources: readonly number[];
  };
  readonly after: Judged;
  /** A sentence about the organization's own entry if that is what changed; null: the lists changed. */
  readonly ownReason: string | null;
};

export function reputationAlert(
  watched: Watched,
  { change, before, after, ownReason }: Change,
  nameOf: SourceNames,
): NewAlert {
  const { value } = watched;
  const reason = ownReason ?? reasonOf(before.sources, after, nameOf);
  return {
    ...base(watched, change.type, change.severity, change.isBetter ? 'better' : 'worse'),
    title: `${value}: ${after.word}`,
    description: `The verdict on ${value} changed from ${formerWord(before)} to ${after.word}, with a score of ${after.score}. ${reason}`,
    reason,
    confidence: after.confidence,
    data: {
      level: after.level,
      score: after.score,
      malicious: after.isMalicious,
      previousLevel: before.level,
      previousScore: before.score,
      categories: after.categories,
      sources: [...new Set(after.accusations.map(({ name }) => name))].slice(0, 20),
    },
  };
}

/** A sentence that tells which lists began to name the value, with the matched entry, and which no longer do. */
export function reasonOf(former: readonly number[], after: Judged, nameOf: SourceNames): string {
  const was = new Set(former);
  const is = new Set(after.sources);
  const added = after.accusations.filter(({ number }) => !was.has(number) && is.has(number));
  const removed = former.filter((number) => !is.has(number));
  const parts = [
    ...added.slice(0, NAMES_MAX).map(accusationText),
    ...(added.length > NAMES_MAX ? [`${added.length - NAMES_MAX} more lists name it`] : []),
    ...(removed.length > 0
      ? [`${listText(removed.map(nameOf))} no longer ${removed.length === 1 ? 'names' : 'name'} it`]
      : []),
  ];
  if (parts.length === 0) return 'The lists that name it changed what they say of it.';
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function accusationText({ name, matchType, matched }: Accusation): string {
  switch (matchType) {
    case 'cidr':
    case 'site':
      return `${name} lists ${matched}, which it lies in`;
    case 'parent':
      return `${name} lists ${matched}, which it belongs to`;
    case 'page':
    case 'child':
      return `${name} lists ${matched} on it`;
    default:
      return `${name} lists it`;
  }
}

const listText = (names: readonly string[]): string =>
  names.length <= NAMES_MAX
    ? names.join(' and ')
    : `${names.slice(0, NAMES_MAX).join(', ')} and ${names.length - NAMES_MAX} more`;

export function infrastructureAlert(
  watched: Watched,
  before: readonly string[],
  { labels, confidence }: Judged,
): NewAlert {
  const said = (words: readonly string[]) => (words.length === 0 ? 'nothing' : words.join(', '));
  const reason = `Lists describe it as ${said(labels)}; before, as ${said(before)}.`;
  return {
    ...base(watched, 'infrastructure.changed', severityOfType('infrastructure.changed'), ''),
    title: `${watched.value} is described differently`,
    description: `What lists say ${watched.value} is has changed. ${reason}`,
    reason,
    confidence,
    data: { attributes: labels, previousAttributes: before },
  };
}

const FACET_ALERTS = {
  certificate: { type: 'certificate.changed', noun: 'certificate' },
  registration: { type: 'whois.changed', noun: 'registration' },
  location: { type: 'location.changed', noun: 'location' },
} as const satisfies Record<Facet, { readonly type: AlertType; readonly noun: string }>;
const LOOKED_UP = 90;

export function facetAlert(watched: Watched, facet: Facet, before: FacetState, after: FacetState): NewAlert {
  const { type, noun } = FACET_ALERTS[facet];
  const reason = `Its ${noun} is ${after.text}; before, it was ${before.text}.`;
  return {
    ...base(watched, type, severityOfType(type), ''),
    title: `The ${noun} of ${watched.value} changed`,
    description: `A lookup of ${watched.value} answered differently than the one before. ${reason}`,
    reason,
    confidence: LOOKED_UP,
    data: { [noun]: after.text, previous: before.text },
  };
}

const CLAIMED = 70;

export function claimAlert(
  watched: Watched,
  claim: {
    readonly id: string;
    readonly victim: string;
    readonly group: string;
    readonly domain: string | null;
    readonly discoveredAt: string;
  },
): NewAlert {
  const reason = `The group ${claim.group} names ${claim.victim}${claim.domain === null ? '' : ` (${claim.domain})`} as its victim.`;
  return {
    ...base(watched, 'ransomware.claim', severityOfType('ransomware.claim'), claim.id),
    title: `${claim.group} claims ${claim.domain ?? claim.victim}`,
    description: `${reason} A claim is what the group says; it is not confirmed.`,
    reason,
    confidence: CLAIMED,
    data: {
      claimId: claim.id,
      group: claim.group,
      victim: claim.victim,
      domain: claim.domain,
      discoveredAt: claim.discoveredAt,
    },
  };
}

export function lookalikeAlert(
  watched: Watched,
  found: { readonly name: string; readonly technique: string; readonly closeness: number },
): NewAlert {
  const reason = `${found.name} resembles ${watched.value} (${found.technique}) and is on a threat list for the first time.`;
  return {
    ...base(watched, 'lookalike.found', severityOfType('lookalike.found'), found.name),
    title: `${found.name} resembles ${watched.value}`,
    description: reason,
    reason,
    confidence: Math.round(found.closeness * 100),
    data: { lookalike: found.name, technique: found.technique },
  };
}
