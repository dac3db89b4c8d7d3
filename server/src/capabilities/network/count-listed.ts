import { KIND } from '#capabilities/corpus/index.ts';
import type { AutonomousSystem, Networks } from '#capabilities/enrichment/index.ts';
import type { Clock } from '#platform/clock.ts';
import { keepValue } from '#platform/kept-value.ts';
import { type Postgres, postgresFailure } from '#platform/postgres.ts';
import { countListedKeys, prepareRangeCount } from './store.ts';

export type CountListed = (networks: Networks, system: AutonomousSystem) => Promise<number>;

const FRESH_MS = 300_000;
const STALE_MS = 86_400_000;
const KEPT_MAX = 2_000;
const RANGES_PER_STATEMENT = 500;

/** Listed addresses of a network, counted at most once in five minutes a process and network. */
export function createCountListed(deps: {
  readonly clock: Clock;
  readonly postgres: Pick<Postgres, 'transaction'>;
}): CountListed {
  let table: Networks | null = null;
  const kept = new Map<number, () => Promise<number>>();
  return (networks, system) => {
    // Another table has other ranges.
    if (networks !== table) kept.clear();
    table = networks;
    const known = kept.get(system.asn);
    if (known !== undefined) return known();
    if (kept.size >= KEPT_MAX) kept.clear();
    const read = keepValue({
      clock: deps.clock,
      freshMs: FRESH_MS,
      staleMs: STALE_MS,
      load: () =>
        count(deps.postgres, system).catch((error: unknown) => {
          throw postgresFailure(error);
        }),
    });
    kept.set(system.asn, read);
    return read();
  };
}

/** In pieces: each statement ends long before its limit, also for the largest networks on a busy machine. */
const count = (postgres: Pick<Postgres, 'transaction'>, { ranges }: AutonomousSystem): Promise<number> =>
  postgres.transaction(async (tx) => {
    await prepareRangeCount(tx);
    let listed = 0;
    for (let from = 0; from < ranges.length; from += RANGES_PER_STATEMENT) {
      const piece = ranges.slice(from, from + RANGES_PER_STATEMENT);
      listed += await countListedKeys(
        tx,
        piece.map(({ first }) => keyOf(first)),
        piece.map(({ last }) => keyOf(last)),
      );
    }
    return listed;
  });

/** As the corpus keys a single address: its kind, then its bytes. */
const keyOf = (address: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(address.length === 4 ? KIND.ipv4 : KIND.ipv6), address]);
