import type { SourceEntry } from '@assay/sdk';
import { causeWords } from './cause-words.ts';
import type { Phases } from './check-state.ts';
import type { Listing } from './panels/check-seen.ts';

type Named = { readonly id: string; readonly name: string };

/** One accusation with the sources that make it: readers ask for the cause first and for the accuser second. */
export type Cause = {
  /** "Listed for command and control, as part of 192.0.2.0/24." */
  readonly sentence: string;
  readonly category: string;
  readonly sources: readonly Named[];
};

export type Against = { readonly title: string; readonly description: string };

export type Reasons = {
  readonly causes: readonly Cause[];
  /** Sentences of the service that add something to the causes. */
  readonly notes: readonly string[];
  readonly contradictions: readonly Against[];
};

const TRACKING = 'Tracking only';
const CAUSES_MAX = 4;
const NOTES_MAX = 4;
const NOT_SEEN = 'No source has seen this file. That is not a clean verdict. Checked again after 5 minutes.';
/** A sentence about the points of the listings after the first six. It is left out, because the chart shows them. */
const REST_OF_LISTINGS = /^\d+ more listings? adds? /;

export function reasonsOf(phases: Phases): Reasons {
  const { reputation } = phases;
  const judged = phases.insights ?? reputation?.verdict;
  const causes = causesOf(phases).slice(0, CAUSES_MAX);
  if (reputation === undefined || judged === undefined) return { causes, notes: [], contradictions: [] };
  const { reasons, contradictorySignals } = judged.evidence;
  if (reputation.lookupStatus === 'unknown' && causes.length === 0)
    return { causes, notes: [NOT_SEEN], contradictions: contradictorySignals };
  const listed = new Set(reputation.sources.filter(isCause).map(({ id }) => id));
  const told = new Set(
    judged.riskScore.factors.filter(({ name }) => listed.has(name)).map(({ description }) => description),
  );
  const notes = reasons.filter((reason) => !told.has(reason) && !REST_OF_LISTINGS.test(reason));
  return {
    causes,
    notes: [...notes.slice(0, NOTES_MAX), ...confirmed(phases), ...claimed(phases)],
    contradictions: contradictorySignals,
  };
}

/** The signals that confirm the verdict, except independent origins: the headline already counts those. */
const confirmed = ({ reputation }: Phases): readonly string[] =>
  (reputation?.verdict?.crossCorrelation?.signals ?? [])
    .filter(({ effect, type }) => effect === 'confirms' && type !== 'independent_origins')
    .map(({ title, description }) => `${title}: ${description}`);

/** What ransomware groups claim about the organization of the domain. */
function claimed({ reputation }: Phases): readonly string[] {
  const found = reputation?.ransomwareClaims;
  const [newest] = found?.claims ?? [];
  if (found === undefined || newest === undefined) return [];
  const more = found.total === 1 ? '' : `, the newest of ${found.total} claims`;
  return [
    `Ransomware group ${newest.group} claimed ${found.domain} as a victim on ${newest.discoveredAt.slice(0, 10)}${more}. ${found.note}`,
  ];
}

/** The sources that accuse, strongest first. */
export function accusersOf({ reputation, insights }: Phases): readonly SourceEntry[] {
  const score = (insights ?? reputation?.verdict)?.riskScore;
  // Lists of trackers have the class `threat` but accuse of nothing.
  if (score?.word === TRACKING) return [];
  const points = new Map(score?.factors.map(({ name, contribution }) => [name, contribution]));
  return (reputation?.sources ?? [])
    .filter(({ threatClass }) => threatClass === 'threat')
    .toSorted((a, b) => (points.get(b.id) ?? 0) - (points.get(a.id) ?? 0));
}

export function causesOf(phases: Phases): readonly Cause[] {
  const listings = new Map((phases.reputation?.listings ?? []).map((each) => [each.sourceId, each]));
  const causes = new Map<string, Cause>();
  for (const { id, name, category, matchType } of countedAccusers(phases)) {
    const sentence = `Listed for ${causeWords(category)}${relationOf(matchType, listings.get(id))}.`;
    const known = causes.get(sentence);
    causes.set(sentence, { sentence, category, sources: [...(known?.sources ?? []), { id, name }] });
  }
  return [...causes.values()];
}

/** Accusers that are part of the score. For one that adds nothing, the service sends a sentence that says why. */
function countedAccusers(phases: Phases): readonly SourceEntry[] {
  const judged = phases.insights ?? phases.reputation?.verdict;
  const counted = new Set(judged?.riskScore.factors.map(({ name }) => name));
  return accusersOf(phases)
    .filter(isCause)
    .filter(({ id }) => judged === undefined || counted.has(id));
}

/** A test file is accused of nothing; the service says so in its own sentence. */
const isCause = ({ category }: SourceEntry): boolean => category !== 'test';

function relationOf(matchType: string, listing: Listing | undefined): string {
  if (matchType === 'alias') return ', under another digest of the same file';
  if (listing === undefined) return '';
  if (matchType === 'cidr') return `, as part of ${listing.value}`;
  return matchType === 'parent' ? `, by way of ${listing.value}` : '';
}
