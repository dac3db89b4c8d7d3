import { CVE_SOURCES } from '#domain/cve/index.ts';
import type { Db } from '#platform/postgres.ts';
import { type FieldQuality, type QualityRow, readQualityRows } from './store.ts';

/** Fields of told rows and of the record. Null where the record adds up the lists of all sources. */
const FIELDS = [
  { told: 'title', record: 'title' },
  { told: 'description', record: 'description' },
  { told: 'published', record: 'published' },
  { told: 'modified', record: 'lastModified' },
  { told: 'scores', record: 'cvssScore' },
  { told: 'kev', record: 'kev' },
  { told: 'ssvc', record: 'ssvcExploitation' },
  { told: 'cwes', record: null },
  { told: 'references', record: null },
  { told: 'affected', record: null },
  { told: 'packages', record: null },
  { told: 'configurations', record: null },
  { told: 'exploits', record: null },
  { told: 'techniques', record: null },
] as const;

/** For each source and field: how often it is given, how often missing, and which source's value was taken instead. */
export async function readQuality(db: Db): Promise<readonly FieldQuality[]> {
  const found = new Map<string, { given: number; nulls: number; lostTo: Record<string, number> }>();
  const rows = await readQualityRows(db, FIELDS);
  for (const row of rows) {
    const key = `${row.source}\n${row.field}`;
    const total = found.get(key) ?? { given: 0, nulls: 0, lostTo: {} };
    total.given += row.given;
    total.nulls += row.nulls;
    const winner = lostTo(row);
    if (winner !== null) total.lostTo[winner] = (total.lostTo[winner] ?? 0) + row.given;
    found.set(key, total);
  }
  const rank = (source: string) => (CVE_SOURCES as readonly string[]).indexOf(source);
  return [...found]
    .map(([key, total]): FieldQuality => {
      const [source = '', field = ''] = key.split('\n');
      return { source, field, ...total };
    })
    .toSorted((a, b) => rank(a.source) - rank(b.source) || fieldRank(a.field) - fieldRank(b.field));
}

const fieldRank = (field: string): number => FIELDS.findIndex(({ told }) => told === field);

/** The source whose value was taken instead; null for lists, which add up, and where the winner is not recorded. */
function lostTo({ source, field, winner, given }: QualityRow): string | null {
  const isSingle = FIELDS.some(({ told, record }) => told === field && record !== null);
  return !isSingle || given === 0 || winner === null || winner === source ? null : winner;
}
