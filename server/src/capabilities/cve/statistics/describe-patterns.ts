import type { Db } from '#platform/postgres.ts';
import { severityAt } from '../fact.ts';
import { countPatterns } from '../search/store.ts';

const CWES_MAX = 20;

/** `vulnerabilityPatterns` of the public analytics (decisions 3.15). */
export async function describePatterns(tx: Db): Promise<{
  bySeverity: Record<string, number>;
  kev: number | null;
  activeExploit: number | null;
  loaded: boolean;
  topCwes: { cwe: string; count: number }[];
}> {
  const { bySeverity, kev, activeExploit, topCwes } = await countPatterns(tx, CWES_MAX);
  const ordered = bySeverity.toSorted((a, b) => b.severity - a.severity);
  if (bySeverity.length === 0)
    return { bySeverity: {}, kev: null, activeExploit: null, loaded: false, topCwes: [] };
  return {
    loaded: true,
    bySeverity: Object.fromEntries(ordered.map(({ severity, count }) => [severityAt(severity), count])),
    kev,
    activeExploit,
    topCwes: [...topCwes],
  };
}
