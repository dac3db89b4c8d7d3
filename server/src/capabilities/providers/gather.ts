import type { Indicator } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { LiveName } from '#platform/config-live.ts';
import type { Log } from '#platform/log.ts';
import type { Redis } from '#platform/redis.ts';
import { within } from '#platform/within.ts';
import { CHECKED, CHECKED_NAMES, everyFacet, type Questions, questionsOf } from './checked-providers.ts';
import { type FramedLookup, UNCACHED } from './frame/create-lookup.ts';
import { joinCertificates } from './join-certificates.ts';
import type { FacetName, GatherOptions, LiveContext, LiveContexts, LookupPlan } from './live-context.ts';
import { type Lookup, missing, type Outcome } from './outcome.ts';
import type { CheckedName, Providers } from './providers.ts';

export type CheckLookups = {
  readonly [N in CheckedName]: Providers[N] extends Lookup<infer K, infer V> ? FramedLookup<K, V> : never;
};

export type LiveContextsDeps = {
  readonly lookups: CheckLookups;
  readonly redis: Redis;
  readonly clock: Clock;
  readonly log: Log;
};

/** A `basic` check waits at most this long for Redis: its own round trip to the meter takes well under 1 ms. */
const RECALL_MS = 10;

/** How much longer the slow search of the certificate logs may run after the host has shown its certificate. */
const LOGS_AFTER_MS = 1_000;

const INAPPLICABLE = missing('inapplicable');

/** A framed provider with its row of `CHECKED`. Key and value types are erased, so that all fit into one list. */
type Checked = {
  readonly name: CheckedName;
  readonly facet: FacetName;
  readonly isWarmed: boolean;
  readonly lookup: FramedLookup<never, unknown>;
};
type Gatherer = Omit<LiveContextsDeps, 'lookups'> & { readonly checked: readonly Checked[] };

export function createLiveContexts(deps: LiveContextsDeps): LiveContexts {
  const checked = CHECKED_NAMES.map((name) => ({
    name,
    facet: CHECKED[name].facet,
    isWarmed: CHECKED[name].level === 'basic',
    lookup: deps.lookups[name],
  }));
  const gatherer = { ...deps, checked };
  return {
    isOn: checked.some(({ lookup }) => lookup.isOn),
    plan: (subject) => planOf(checked, subject),
    gather: (subject, options) => gather(gatherer, subject, options),
    remembered: (subject) => remembered(gatherer, subject),
  };
}

function planOf(checked: readonly Checked[], subject: Indicator): LookupPlan {
  const questions = questionsOf(subject, 'full');
  const covering = checked.filter(({ name }) => questions[name] !== undefined);
  const namesOf = (isOn: boolean): LiveName[] => {
    const names = covering.filter(({ lookup }) => lookup.isOn === isOn).map(({ name }) => name);
    // The addresses of a name are a part of `dns`.
    return [...new Set(names.map((name) => (name === 'addresses' ? 'dns' : name)))];
  };
  return { asked: namesOf(true), off: namesOf(false) };
}

/** Starts all applicable lookups at once; each ends within the budget. */
async function gather(
  { checked, clock, log }: Gatherer,
  subject: Indicator,
  { level, only, budgetMs, signal, onFacet }: GatherOptions,
): Promise<LiveContext> {
  const asked = askedOf(questionsOf(subject, level), only);
  const isBrief = level === 'standard';
  const patience = { deadlineMs: budgetMs, isBrief, ...(signal !== undefined && { signal }) };
  const context = blankContext();
  const land = async (facet: FacetName, outcome: Promise<Outcome<unknown>>): Promise<void> => {
    const found = (await outcome) as LiveContext[typeof facet];
    Object.assign(context, { [facet]: found });
    try {
      onFacet?.(facet, found);
    } catch (error) {
      log.warn({ facet, err: error }, 'live.facet.listener.failed');
    }
  };
  const parts: Partial<Record<CheckedName, Promise<Outcome<unknown>>>> = {};
  const landing: Promise<void>[] = [];
  for (const { name, facet, lookup } of checked) {
    const key = asked[name] as never;
    const outcome = key === undefined ? Promise.resolve(INAPPLICABLE) : lookup.ask(key, patience);
    if (facet === 'certificates') parts[name] = outcome;
    else landing.push(land(facet, outcome));
  }
  landing.push(land('certificates', joined(parts as CertificateParts, clock)));
  await Promise.all(landing);
  return context;
}

type CertificateParts = {
  readonly tls: ReturnType<CheckLookups['tls']['ask']>;
  readonly ct: ReturnType<CheckLookups['ct']['ask']>;
};

async function joined({ tls, ct }: CertificateParts, clock: Clock): Promise<LiveContext['certificates']> {
  const shown = await tls;
  const logged = shown.state === 'found' ? await within(ct, LOGS_AFTER_MS, missing('underway')) : await ct;
  return joinCertificates(shown, logged, clock.now());
}

const askedOf = (questions: Questions, only: GatherOptions['only']): Questions =>
  only === undefined ? questions : Object.fromEntries(only.map((name) => [name, questions[name]]));

const BLANK = everyFacet(INAPPLICABLE);
const blankContext = (): { -readonly [F in FacetName]: LiveContext[F] } => ({ ...BLANK });

/**
 * Answers from memory, then one MGET for the rest, as all questions about one subject share a slot. Plain loops for
 * speed, because every `basic` check runs this.
 */
async function remembered({ checked, clock, redis }: Gatherer, subject: Indicator): Promise<LiveContext> {
  const asked = questionsOf(subject, 'standard');
  const ids: string[] = [];
  const context = blankContext() as Record<FacetName, Outcome<unknown>>;
  const certificates = { tls: INAPPLICABLE, ct: INAPPLICABLE } as Record<string, Outcome<unknown>>;
  const put = ({ name, facet }: Checked, outcome: Outcome<unknown>): void => {
    if (facet === 'certificates') certificates[name] = outcome;
    else context[facet] = outcome;
  };
  const unknown: { readonly each: Checked; readonly key: never; readonly id: string }[] = [];
  for (const each of checked) {
    const key = asked[each.name] as never;
    if (key === undefined) continue;
    const id = each.lookup.isOn ? each.lookup.idOf(key) : '';
    const known = each.lookup.recall(id);
    if (known === null) {
      unknown.push({ each, key, id });
      ids.push(id);
    } else put(each, known);
  }
  const texts = ids.length === 0 ? null : await within(readAll(redis, ids), RECALL_MS, null);
  for (const { each, key, id } of unknown) {
    const outcome = texts === null ? UNCACHED : each.lookup.accept(id, texts.get(id));
    put(each, outcome);
    if (each.isWarmed && outcome === UNCACHED) each.lookup.warm(key);
  }
  const { tls, ct } = certificates as RememberedCertificates;
  context.certificates = joinCertificates(tls, ct, clock.now());
  return context as LiveContext;
}

type RememberedCertificates = {
  readonly [N in keyof CertificateParts]: Awaited<CertificateParts[N]>;
};

async function readAll(redis: Redis, ids: readonly string[]): Promise<ReadonlyMap<string, unknown> | null> {
  try {
    const texts = await redis.command(ids[0] ?? '', ['MGET', ...ids]);
    return Array.isArray(texts) ? new Map(ids.map((id, index) => [id, texts[index] as unknown])) : null;
  } catch {
    // Without Redis only the cache of this process is read.
    return null;
  }
}
