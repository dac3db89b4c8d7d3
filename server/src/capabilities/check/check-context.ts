import type { Assessment, Assessor } from '#capabilities/judging/index.ts';
import {
  type Addresses,
  everyFacet,
  foundValue,
  type LiveContext,
  type LiveContexts,
  type LookupPlan,
  missing,
  type Observations,
} from '#capabilities/providers/index.ts';
import { hostOf, type Indicator, type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { within } from '#platform/within.ts';
import type { RelatedInfrastructure } from './contract-context.ts';
import { findRelated, type RelatedDeps } from './find-related.ts';
import type { Past } from './judge-past.ts';
import { TIMELINE_DAYS } from './tell-timeline.ts';

export type ContextDeps = {
  readonly corpus: RelatedDeps['corpus'];
  /** Live lookups; where absent or off, a check is answered synchronously from local data alone. */
  readonly live?: LiveContexts;
  readonly observations?: Pick<Observations, 'byPivot'>;
  /** The assessment of each of the last days, from PostgreSQL. Absent: no timeline. */
  readonly past?: (indicator: Indicator, days: number) => Promise<Past>;
  readonly liveBudgetMs?: number;
};

/** What a check adds to the lists. A null field was not requested or not available in time. */
export type CheckContext = {
  readonly live: LiveContext;
  /** The assessment of a name's first address, for its labels; null for other indicators. */
  readonly located: Assessment | null;
  readonly past: readonly Assessment[] | null;
  readonly related: RelatedInfrastructure | null;
};

export type LiveLevel = 'basic' | 'standard' | 'full';

/** How long a level waits for live lookups (O80); contract 2.1 rule 1 allows a few seconds. */
const STANDARD_BUDGET_MS = 250;
const FULL_BUDGET_MS = 3_000;
/** How long `basic` waits for the cache of past lookups, which usually answers at once. */
const REMEMBERED_MAX_MS = 100;
/** How long `full` waits for related infrastructure, which is read from local tables, usually in a tenth of this. */
const LOCAL_MAX_MS = 800;

/** Gathers the context that a level shows, in parallel and within the time budget of the level. Never rejects. */
export async function gatherContext(
  deps: ContextDeps,
  assess: Assessor,
  assessment: Assessment,
  level: LiveLevel,
  signal?: AbortSignal,
): Promise<CheckContext> {
  const { subject } = assessment;
  const asked = askable(deps, assessment);
  const [live, past] = await Promise.all([
    askLive(asked, subject, level, deps.liveBudgetMs ?? STANDARD_BUDGET_MS, signal),
    level === 'full' ? pastOf(deps, subject, FULL_BUDGET_MS) : null,
  ]);
  const related = level === 'full' ? await relatedOf(deps, assess, assessment, live) : null;
  return { live, past, related, located: locatedOf(assess, subject, live.addresses) };
}

/**
 * Null when live lookups are off, and for private or reserved addresses, which are never looked up externally
 * (decisions 3.1).
 */
export const askable = ({ live }: ContextDeps, { context }: Assessment): LiveContexts | null =>
  live?.isOn === true && !context.isReserved ? live : null;

const NO_LOOKUPS: LookupPlan = { asked: [], off: [] };

/** The providers that a stream asks about the subject; none for a private or reserved one. */
export const planFor = ({ live }: ContextDeps, { context, subject }: Assessment): LookupPlan =>
  live === undefined || context.isReserved ? NO_LOOKUPS : live.plan(subject);

export async function askScanner(
  { liveBudgetMs = STANDARD_BUDGET_MS }: ContextDeps,
  live: LiveContexts,
  subject: Indicator,
  signal?: AbortSignal,
): Promise<LiveContext['scanner']> {
  const options = { level: 'standard', only: ['scanner'], budgetMs: liveBudgetMs } as const;
  return (await live.gather(subject, { ...options, ...(signal !== undefined && { signal }) })).scanner;
}

function askLive(
  live: LiveContexts | null,
  subject: Indicator,
  level: LiveLevel,
  standardMs: number,
  signal: AbortSignal | undefined,
): Promise<LiveContext> | LiveContext {
  if (live === null) return NOBODY_ASKED;
  if (level === 'basic') return within(live.remembered(subject), REMEMBERED_MAX_MS, NOBODY_ASKED);
  const budgetMs = level === 'full' ? FULL_BUDGET_MS : standardMs;
  return live.gather(subject, { level, budgetMs, ...(signal !== undefined && { signal }) });
}

/** The assessments of the last days; null when they cannot be read in time, so that the answer is not delayed. */
export async function pastOf(
  { past }: ContextDeps,
  subject: Indicator,
  timeMaxMs: number,
): Promise<readonly Assessment[] | null> {
  if (past === undefined) return null;
  const read = past(subject, TIMELINE_DAYS).then(({ assessments }) => assessments);
  return within<readonly Assessment[] | null>(read, timeMaxMs, null);
}

export function relatedOf(
  { corpus, observations }: ContextDeps,
  assess: Assessor,
  assessment: Assessment,
  live: LiveContext,
): Promise<RelatedInfrastructure | null> {
  const deps = { corpus, assess, ...(observations !== undefined && { observations }) };
  return within<RelatedInfrastructure | null>(findRelated(deps, assessment, live), LOCAL_MAX_MS, null);
}

/** A name is located by its first address (G56). */
export function locatedOf(
  assess: Assessor,
  subject: Indicator,
  addresses: LiveContext['addresses'],
): Assessment | null {
  if (hostOf(subject)?.kind !== 'domain') return null;
  const ip = firstOf(foundValue(addresses));
  return ip === null ? null : assess(ip);
}

function firstOf(addresses: Addresses | null): Ip | null {
  const text = addresses?.a[0] ?? addresses?.aaaa[0];
  const parsed = text === undefined ? null : parseIndicator(text);
  return parsed?.ok === true && parsed.indicator.kind === 'ip' ? parsed.indicator : null;
}

const OFF = missing('off');
export const NOBODY_ASKED = everyFacet(OFF);
