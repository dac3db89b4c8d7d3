import type { ListedAddresses, NameTable, PlatformHeat, PopularLooks } from '#domain/signals/index.ts';

/** The tables that one training made. */
export type SignalTables = {
  /** Addresses that were listed in the last 90 days. */
  readonly listed: ListedAddresses;
  /** Autonomous systems of which at least 0.5 % of the addresses are listed. */
  readonly crowdedSystems: ReadonlySet<number>;
  readonly names: NameTable;
  readonly looks: PopularLooks;
  /** By suffix, platforms with at least three newly named tenants. */
  readonly platforms: ReadonlyMap<string, PlatformHeat>;
};
