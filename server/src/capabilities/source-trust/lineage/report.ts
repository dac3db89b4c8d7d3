import type { Db } from '#platform/postgres.ts';
import { latestPairs, latestPlacements, type PairRow, type PlacementRow } from './store.ts';

export type ReportedMember = {
  readonly id: string;
  readonly name: string;
  readonly isProvisional: boolean;
  /** The evidence, one line each: `inside bruteforceblocker 0.97 (7 days)`. */
  readonly because: readonly string[];
};

export type LineageReport = {
  /** Null: never computed. */
  readonly computedAtMs: number | null;
  readonly isProvisional: boolean;
  /** Clusters of at least two members, the largest first. */
  readonly clusters: readonly { readonly cluster: string; readonly members: readonly ReportedMember[] }[];
  /** Sources that publish entries of a kind after another source did; they count as its echo for that kind. */
  readonly echoes: readonly { readonly id: string; readonly of: string; readonly kind: string }[];
  /** Declared aggregates with the sources they hold; they belong to no cluster. */
  readonly aggregates: readonly { readonly id: string; readonly holds: readonly string[] }[];
  /** Not declared as aggregates, but they hold several sources of other publishers; the operator should check them. */
  readonly suspects: readonly { readonly id: string; readonly holds: readonly string[] }[];
  readonly pairs: readonly PairRow[];
};

const PAIRS_SHOWN = 200;
/** A suspect holds three lists of other publishers. One could be chance, or that list could be the copy. */
const STRANGERS_HELD = 3;

export async function readLineage(db: Db): Promise<LineageReport> {
  return reportOf(await latestPlacements(db), await latestPairs(db, PAIRS_SHOWN));
}

export function reportOf(rows: readonly PlacementRow[], pairs: readonly PairRow[]): LineageReport {
  const alone = rows.filter(({ aggregate }) => !aggregate);
  const byCluster = Map.groupBy(alone, ({ cluster }) => cluster);
  const clusters = [...byCluster]
    .filter(([, members]) => members.length > 1)
    .sort(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
    .map(([cluster, members]) => ({ cluster, members: members.map(reportedMember) }));
  const lineageOf = new Map(rows.map(({ id, lineage }) => [id, lineage ?? id]));
  const held = (row: PlacementRow) =>
    row.evidence.filter(({ relation }) => relation === 'holds').map((evidence) => evidence.with);
  const strangers = (row: PlacementRow) =>
    held(row).filter((id) => lineageOf.get(id) !== lineageOf.get(row.id));
  return {
    computedAtMs: rows[0]?.computedAtMs ?? null,
    isProvisional: rows.some(({ isProvisional }) => isProvisional),
    clusters,
    echoes: rows.flatMap(({ id, evidence }) =>
      evidence.flatMap(({ relation, with: of, kind }) =>
        relation === 'repeats' && kind !== undefined ? [{ id, of, kind }] : [],
      ),
    ),
    aggregates: rows
      .filter(({ aggregate }) => aggregate)
      .map((row) => ({ id: row.id, holds: held(row) }))
      .filter(({ holds }) => holds.length > 0),
    suspects: alone
      .map((row) => ({ id: row.id, holds: strangers(row) }))
      .filter(({ holds }) => new Set(holds.map((id) => lineageOf.get(id))).size >= STRANGERS_HELD),
    pairs,
  };
}

const reportedMember = ({ id, name, lineage, isProvisional, evidence }: PlacementRow): ReportedMember => {
  const joining = evidence.filter(({ joins }) => joins);
  const isDeclared = lineage !== null && joining.some(({ relation }) => relation === 'declared');
  const measured = joining
    .filter(({ relation }) => relation !== 'declared')
    .map(({ relation, with: other, kind, containment, days }) =>
      relation === 'repeats'
        ? `repeats ${other} for ${kind} ${containment.toFixed(2)}`
        : `${relation} ${other} ${containment.toFixed(2)} (${days} ${days === 1 ? 'day' : 'days'})`,
    );
  return {
    id,
    name,
    isProvisional,
    because: isDeclared ? [...measured, `declared lineage ${lineage}`] : measured,
  };
};
