import { type Db, sql } from '#platform/postgres.ts';

/** How an operator loads vulnerabilities, for answers without them. */
export const LOAD_CVES =
  'No CVE data is loaded on this service, so nothing was looked up or counted. The worker loads it when FEEDS_ENABLED is true; from files: npm run admin -- cve import-manifest FOLDER';

/** Whether any CVE is loaded: without one an empty list or a 0 would read as a finding (decisions O77). */
export async function areCvesLoaded(db: Db): Promise<boolean> {
  const { rows } = await sql<{ loaded: boolean }>`select exists(select 1 from cve) as loaded`.execute(db);
  return rows[0]?.loaded === true;
}
