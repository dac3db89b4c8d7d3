import type { Artifacts } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { keepValue } from '#platform/kept-value.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { LIST_NAMES, type ListName } from './list-names.ts';
import { openLists } from './open-lists.ts';
import { prepareRenderings } from './prepare-renderings.ts';
import { PullLog } from './pull-log.ts';
import { Renderings } from './renderings.ts';
import type { BlocklistsDeps } from './routes.ts';
import { WITHHELD_MAX, type WithheldEntry } from './serve-withheld.ts';

export type Blocklists = BlocklistsDeps & { readonly pulls: PullLog; readonly close: () => Promise<void> };

export type OpenBlocklistsOptions = {
  readonly config: Pick<Config, 'LIST_MEMORY_MB' | 'DISTRIBUTION'>;
  readonly postgres: Postgres;
  readonly system: Postgres;
  readonly artifacts: Artifacts;
  readonly clock: Clock;
  readonly log: Log;
  readonly withheld: (list: ListName, limit: number) => Promise<readonly WithheldEntry[]>;
  readonly allowed: BlocklistsDeps['allowed'];
  readonly publications: BlocklistsDeps['publications'];
  readonly pollMs?: number;
};

const MEGABYTE = 1024 * 1024;
/** The part of the renderings' memory for full lists; the rest is for samples, which have a tenth of the lines. */
const FULL_SHARE = 0.75;
/** Lists change every ten minutes at most, so one read of what is withheld serves all callers of a minute. */
const WITHHELD_FRESH_MS = 60_000;

/** Half of LIST_MEMORY_MB holds parts of the list files, half the renderings in other formats. */
export async function openBlocklists(options: OpenBlocklistsOptions): Promise<Blocklists> {
  const { config, postgres, system, clock, log } = options;
  const half = (config.LIST_MEMORY_MB * MEGABYTE) / 2;
  const renderings = {
    full: new Renderings(half * FULL_SHARE),
    sample: new Renderings(half * (1 - FULL_SHARE)),
  };
  const lists = await openLists({
    ...options,
    memoryBytesMax: half,
    prepare: (before, next) => prepareRenderings(renderings.full, log, before, next),
  });
  const pulls = new PullLog(system, log);
  return {
    lists,
    renderings,
    postgres,
    clock,
    pulls,
    audience: config.DISTRIBUTION,
    withheld: keepWithheld(options),
    allowed: options.allowed,
    publications: options.publications,
    close: async () => {
      await Promise.all([lists.close(), pulls.close()]);
    },
  };
}

function keepWithheld({ withheld, clock }: OpenBlocklistsOptions): BlocklistsDeps['withheld'] {
  const kept = new Map(
    LIST_NAMES.map((list) => [
      list,
      keepValue({ clock, freshMs: WITHHELD_FRESH_MS, load: () => withheld(list, WITHHELD_MAX) }),
    ]),
  );
  return (list) => kept.get(list)?.() ?? Promise.resolve([]);
}
