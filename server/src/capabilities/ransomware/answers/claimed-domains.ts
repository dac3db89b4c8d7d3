import { generationOf, groupKeyOf } from '#domain/ransomware/index.ts';
import { keepValue } from '#platform/kept-value.ts';
import type { AnswerDeps } from './answer-claims.ts';
import { listClaimedDomains } from './claim-store.ts';
import { isoOf } from './present-victims.ts';

/** What groups claim about the organization of a domain. */
export type ClaimsOnDomain = {
  readonly domain: string;
  readonly total: number;
  readonly claims: {
    readonly group: string;
    readonly family: string | null;
    readonly victim: string;
    readonly discoveredAt: string;
  }[];
  readonly note: string;
};

const FRESH_MS = 300_000;
const SHOWN_MAX = 10;
const NOTE = 'A claim does not show that an attack took place, and it adds no points to the score.';

type ByDomain = ReadonlyMap<string, ClaimsOnDomain>;

/**
 * Keeps the domains of claimed victims in memory, some 4,000, so that a check waits for no database. They are read again
 * behind a lookup, at most once in five minutes; while a reading fails, those of the last one are used.
 */
export function createClaimedDomains({
  clock,
  postgres,
}: AnswerDeps & { readonly clock: { monotonic(): number } }) {
  let last: ByDomain = new Map();
  const read = keepValue({
    clock,
    freshMs: FRESH_MS,
    load: async () => {
      last = byDomain(await listClaimedDomains(postgres.db, clock.now()));
      return last;
    },
  });
  return {
    /** Reads the domains unless they are fresh. Rejects when the database does not answer. */
    refresh: async (): Promise<void> => {
      await read();
    },
    /** The claims on the organization of a host: on the name itself or on a domain above it. */
    on: (host: string): ClaimsOnDomain | null => {
      read().catch(() => undefined);
      if (last.size === 0) return null;
      for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1)) {
        const found = last.get(name);
        if (found !== undefined) return found;
        if (!name.includes('.')) return null;
      }
      return null;
    },
  };
}

function byDomain(rows: Awaited<ReturnType<typeof listClaimedDomains>>): ByDomain {
  const found = new Map<string, ClaimsOnDomain>();
  for (const [domain, claims] of Map.groupBy(rows, (row) => row.domain))
    found.set(domain, {
      domain,
      total: claims.length,
      claims: claims.slice(0, SHOWN_MAX).map(({ group, victim, discoveredAtMs }) => ({
        group,
        family: generationOf(groupKeyOf(group))?.family ?? null,
        victim,
        discoveredAt: isoOf(discoveredAtMs),
      })),
      note: NOTE,
    });
  return found;
}
