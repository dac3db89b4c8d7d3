import { KIND } from '#capabilities/corpus/index.ts';
import type { AutonomousSystem, Networks } from '#capabilities/enrichment/index.ts';
import type { Clock } from '#platform/clock.ts';
import { keepValue } from '#platform/kept-value.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { countListedKeys, prepareRangeCount } from './store.ts';

export type CountListed = (networks: Networks, system: AutonomousSystem) => Promise<number>;

const FRESH_MS = 300_000;
const STALE_MS = DAY_MS;
const KEPT_MAX = 2_000;
/** 500 ranges of a large hosting company exceeded the time limit of a statement at a load of 12 on two cores. */
const RANGES_PER_STATEMENT = 50;

export function createCountListed(deps: {
  readonly clock: Clock;
  readonly postgres: Pick<Postgres, 'transaction'>;
}): CountListed {
  let table: Networks | null = null;
  const kept = new Map<number, () => Promise<number>>();
  return (networks, system) => {
    // A new table has other ranges, so cached counts no longer apply.
    if (networks !== table) kept.clear();
    table = networks;
    const known = kept.get(system.asn);
    if (known !== undefined) return known();
    if (kept.size >= KEPT_MAX) kept.clear();
    const read = keepValue({
      clock: deps.clock,
      freshMs: FRESH_MS,
      staleMs: STALE_MS,
      load: () => count(deps.postgres, system),
    });
    kept.set(system.asn, read);
    return read();
  };
}

/**
 * Counts in pieces, so that each statement ends well within its limit, even for the largest networks on a busy machine.
 */
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

const keyOf = (address: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(address.length === 4 ? KIND.ipv4 : KIND.ipv6), address]);
