import { generationOf } from '#domain/ransomware/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { DISCLAIMER, LOAD_CLAIMS } from '../contract.ts';
import type { Generations, GroupStatus } from '../group-contract.ts';
import type { GroupClaims, GroupValue } from './group-store.ts';
import { isoOf } from './present-victims.ts';

const ACTIVE_WITHIN_MS = 90 * DAY_MS;

type Known = {
  readonly lastClaimAtMs: number | undefined;
  /** The newest claim of any group is too old for a conclusion, or there is none (decisions O65). */
  readonly isOld: boolean;
  readonly isSeized: boolean;
};

/** Null: without a recent claim of any group nothing says that a group stopped. */
export function statusOf({ lastClaimAtMs, isOld, isSeized }: Known, nowMs: number): GroupStatus | null {
  if (isSeized) return 'seized';
  if (lastClaimAtMs !== undefined && lastClaimAtMs > nowMs - ACTIVE_WITHIN_MS) return 'active';
  return isOld ? null : 'inactive';
}

export const valuesOf = (values: readonly GroupValue[], kind: GroupValue['kind'], max: number): string[] => {
  const counts = new Map<string, number>();
  for (const each of values)
    if (each.kind === kind) counts.set(each.value, (counts.get(each.value) ?? 0) + each.count);
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, max)
    .map(([value]) => value);
};

export const NO_GROUPS = {
  inconclusive: true,
  dataAsOf: null,
  loaded: false,
  message: LOAD_CLAIMS,
  disclaimer: DISCLAIMER,
} as const;

/** 0 was counted only where claims are loaded (decisions O77). */
export const victimsOf = (counted: number | undefined, hasClaims: boolean): number | null =>
  hasClaims ? (counted ?? 0) : null;

/** The generations of a family: those with claims, and those that a source describes. */
export function generationsOf(
  keys: readonly string[],
  claims: readonly GroupClaims[],
  hasClaims: boolean,
): Generations {
  const names = new Set(keys.flatMap((key) => generationOf(key)?.generation ?? []));
  const byName = Map.groupBy(claims, ({ key }) => generationOf(key)?.generation ?? key);
  return [...names].sort().map((name) => {
    const own = byName.get(name) ?? [];
    return {
      name,
      victims: victimsOf(
        own.reduce((sum, { victims }) => sum + victims, 0),
        hasClaims,
      ),
      firstClaimAt: own.length === 0 ? null : isoOf(Math.min(...own.map((each) => each.firstClaimAtMs))),
      lastClaimAt: own.length === 0 ? null : isoOf(Math.max(...own.map((each) => each.lastClaimAtMs))),
    };
  });
}
