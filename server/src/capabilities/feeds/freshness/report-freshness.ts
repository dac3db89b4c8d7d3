import { hasData, type Source } from '#capabilities/corpus/index.ts';
import type { OtherData } from '#capabilities/datasets/index.ts';
import { expiresAtS, isOwnList, stalenessOf } from '#domain/scoring/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { DataFreshness } from './contract.ts';
import { type FeedState, isInUse, type Judgement, judgeFreshness } from './judge-freshness.ts';
import { datasetOf, hours } from './other-data.ts';
import type { Freshness } from './states.ts';

type Judged = { readonly source: Source; readonly state: FeedState | undefined } & Judgement;

const ACTIONS_MAX = 20;
const NAMED_MAX = 5;
/** The worst status first, because operators open the page for it. */
const ORDER: readonly Freshness[] = ['failing', 'missing', 'stale', 'fresh'];

/** The freshness report: the age of every data set, the reason, and the operator's next action (decisions 3.14). */
export function reportFreshness(
  sources: readonly Source[],
  states: readonly FeedState[],
  nowMs: number,
  others: readonly OtherData[] = [],
): DataFreshness {
  const byNumber = new Map(states.map((state) => [state.sourceNumber, state]));
  const judged = sources
    .filter(isInUse)
    .map((source): Judged => {
      const state = byNumber.get(source.number);
      return { source, state, ...judgeFreshness(source, state, nowMs) };
    })
    .sort(
      (a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || (a.source.id < b.source.id ? -1 : 1),
    );
  const datasets = [
    ...judged.map((each) => dataset(each, nowMs)),
    ...others.map((other) => datasetOf(other, nowMs)),
  ].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || (a.id < b.id ? -1 : 1));
  return {
    generatedAt: new Date(nowMs).toISOString(),
    // Without a source no verdict can be given, however fresh other data is.
    overallStatus: overallStatus(judged.length === 0 ? [] : datasets.map(({ status }) => status)),
    datasets,
    actions: [...actionsFor(judged), ...others.flatMap(({ action }) => action ?? [])].slice(0, ACTIONS_MAX),
    sourceCount: sources.filter(hasData).length,
  };
}

/** Fresh when all are; stale when more than half are not, or when there are no data sets; degraded in between. */
export function overallStatus(statuses: readonly Freshness[]): DataFreshness['overallStatus'] {
  const unfresh = statuses.filter((status) => status !== 'fresh').length;
  if (statuses.length === 0 || unfresh * 2 > statuses.length) return 'stale';
  return unfresh === 0 ? 'fresh' : 'degraded';
}

function dataset(
  { source, state, status, message, cause, reason }: Judged,
  nowMs: number,
): DataFreshness['datasets'][number] {
  const { ageMs, staleAfterMs } = stalenessOf(source, nowMs);
  const endsAtS = expiresAtS(source);
  return {
    id: source.id,
    label: source.name,
    status,
    lastUpdatedAt: ageMs === null ? null : new Date(source.dataAtS * 1_000).toISOString(),
    ageHours: ageMs === null ? null : hours(ageMs),
    slaHours: hours(staleAfterMs),
    records: ageMs === null ? null : source.entries,
    message,
    category: source.category,
    threatClass: source.threatClass,
    cause,
    reason,
    ownList: isOwnList(source),
    expiresAt: endsAtS === null ? null : new Date(endsAtS * 1_000).toISOString(),
    movedDays: Math.round((state?.rebaseMs ?? 0) / DAY_MS),
  };
}

/** The problems of a source and the operator's action for each; {} is replaced by the names of the sources. */
const ACTIONS: readonly (readonly [applies: (each: Judged) => boolean, sentence: string])[] = [
  [
    ({ state }) => state?.quarantine?.isReleasable === true,
    'Look at the quarantined download of {} and release or discard it: `npm run admin -- feeds quarantine`.',
  ],
  [
    ({ state }) => state?.quarantine?.isReleasable === false,
    'Check the address of {}: what it sends is not a list any more.',
  ],
  [
    ({ status, state }) => status === 'failing' && (state?.quarantine ?? null) === null,
    'Find out why {} cannot be fetched; the message of the data set says what was seen.',
  ],
  [
    ({ status, state }) => status === 'missing' && (state?.problem ?? null) !== null,
    'Find out why {} has never been loaded; the message of the data set says what was seen.',
  ],
  [
    ({ status, state }) => status === 'missing' && (state?.problem ?? null) === null,
    'Load {}: start the worker (`npm run worker`), or import a file (`npm run admin -- feeds import`).',
  ],
  [
    ({ status, isOverdue }) => status === 'stale' && isOverdue,
    'Start the worker (`npm run worker`): {} is scheduled and has not been asked for.',
  ],
  [
    ({ cause }) => cause === 'expired',
    'Import {} again, or remove it: `npm run admin -- feeds retire`. Its period is over.',
  ],
  [
    ({ status, isOverdue, source }) => status === 'stale' && !isOverdue && source.scheduled,
    'Decide whether {} is still published: it is fetched, but its content does not get newer.',
  ],
  [
    ({ status, cause, isOverdue, source }) =>
      status === 'stale' && cause !== 'expired' && !isOverdue && !source.scheduled,
    'Import newer data for {}, or let the worker fetch it.',
  ],
];

export function actionsFor(judged: readonly Judged[]): string[] {
  if (judged.length === 0)
    return [
      'Load a first source: start the worker (`npm run worker`), or import one (`npm run admin -- feeds import`).',
    ];
  return ACTIONS.flatMap(([applies, sentence]) => {
    const ids = judged.filter(applies).map(({ source }) => source.id);
    return ids.length === 0 ? [] : [sentence.replace('{}', named(ids))];
  }).slice(0, ACTIONS_MAX);
}

function named(ids: readonly string[]): string {
  const more = ids.length - NAMED_MAX;
  return `${ids.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
