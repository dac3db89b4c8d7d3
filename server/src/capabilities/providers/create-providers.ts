import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Redis } from '#platform/redis.ts';
import { CHECKED, CHECKED_NAMES } from './checked-providers.ts';
import { AnswerMemory } from './frame/answer-memory.ts';
import { changeFound } from './frame/change-found.ts';
import {
  createAbsentLookup,
  createLookup,
  type FrameDeps,
  type FramedLookup,
} from './frame/create-lookup.ts';
import { createKeptAnswers } from './frame/kept-answers.ts';
import { createRedisRoom } from './frame/redis-room.ts';
import { type CheckLookups, createLiveContexts } from './gather.ts';
import { type FindCve, joinCves } from './internetdb/join-cves.ts';
import type { LiveContexts } from './live-context.ts';
import type { Observations } from './observation.ts';
import type { Lookup } from './outcome.ts';
import type { Provider, ProviderName } from './provider.ts';
import type { Providers } from './providers.ts';
import { siteOf } from './site-of.ts';

type ProviderFor<L> = L extends Lookup<infer K, infer V> ? Provider<K, V> : never;

export type ProviderSet = { readonly [N in ProviderName]: ProviderFor<Providers[N]> } & {
  readonly observations: Observations;
};

export type ProvidersDeps = {
  readonly set: ProviderSet;
  /** The enabled providers, as in LIVE_PROVIDERS. `addresses` is part of `dns`. */
  readonly on: ReadonlySet<ProviderName>;
  readonly redis: Redis;
  readonly redisPrefix: string;
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Log;
  /** The CVE catalogue of this node; absent: severities are UNKNOWN. */
  readonly findCve?: FindCve;
};

/** Puts every provider into its frame, over one memory per process. Closing cancels all running lookups. */
export function createProviders(deps: ProvidersDeps): {
  readonly providers: Providers;
  readonly contexts: LiveContexts;
} {
  const { set, on, redis, clock, log } = deps;
  const kept = createKeptAnswers(deps);
  const frameDeps: FrameDeps = {
    ...deps,
    memory: new AnswerMemory(),
    room: createRedisRoom(deps),
    kept,
    observations: set.observations,
  };
  const lookups: { readonly close: () => void }[] = [];
  const isOn = (name: ProviderName) => on.has(name) || (name === 'addresses' && on.has('dns'));
  const frame = <K, V>(provider: Provider<K, V>, site: (key: K) => string): FramedLookup<K, V> => {
    if (!isOn(provider.name)) return createAbsentLookup(provider.name, 'off');
    if (provider.unconfigured !== undefined) {
      log.info({ provider: provider.name, reason: provider.unconfigured }, 'live.provider.unconfigured');
      return createAbsentLookup(provider.name, 'unconfigured');
    }
    const lookup = createLookup(frameDeps, provider, site);
    lookups.push(lookup);
    return lookup;
  };
  const framed = Object.fromEntries(
    CHECKED_NAMES.map((name) => [
      name,
      frame(set[name] as unknown as Provider<never, unknown>, CHECKED[name].site),
    ]),
  ) as unknown as CheckLookups;
  const { findCve } = deps;
  const checked: CheckLookups =
    findCve === undefined
      ? framed
      : { ...framed, internetdb: changeFound(framed.internetdb, (found) => joinCves(found, findCve)) };
  const providers: Providers = {
    ...checked,
    tenant: frame(set.tenant, siteOf),
    // IntelOwl answers are never read together with others, so their cluster slot does not matter.
    intelowl: frame(set.intelowl, set.intelowl.upstreamOf),
    observations: set.observations,
    close: async () => {
      for (const lookup of lookups) lookup.close();
      await Promise.all([kept.close(), set.observations.close()]);
    },
  };
  return { providers, contexts: createLiveContexts({ lookups: checked, redis, clock, log }) };
}
