import type { Artifacts } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { openLists } from './open-lists.ts';
import { PullLog } from './pull-log.ts';
import { Renderings } from './renderings.ts';
import type { BlocklistsDeps } from './routes.ts';

export type Blocklists = BlocklistsDeps & { readonly pulls: PullLog; readonly close: () => Promise<void> };

export type OpenBlocklistsOptions = {
  readonly config: Pick<Config, 'LIST_MEMORY_MB' | 'DISTRIBUTION'>;
  readonly postgres: Postgres;
  readonly system: Postgres;
  readonly artifacts: Artifacts;
  readonly clock: Clock;
  readonly log: Log;
  readonly withheld: BlocklistsDeps['withheld'];
  readonly allowed: BlocklistsDeps['allowed'];
  readonly pollMs?: number;
};

const MEGABYTE = 1024 * 1024;

/** Half of the memory is for the files as they are, half for what is rendered from them. */
export async function openBlocklists(options: OpenBlocklistsOptions): Promise<Blocklists> {
  const { config, postgres, system, clock, log } = options;
  const half = (config.LIST_MEMORY_MB * MEGABYTE) / 2;
  const lists = await openLists({ ...options, memoryBytesMax: half });
  const pulls = new PullLog(system, log);
  return {
    lists,
    renderings: new Renderings(half),
    postgres,
    clock,
    pulls,
    audience: config.DISTRIBUTION,
    withheld: options.withheld,
    allowed: options.allowed,
    close: async () => {
      await Promise.all([lists.close(), pulls.close()]);
    },
  };
}
