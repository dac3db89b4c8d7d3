import { openEnvironment, openTable } from '#platform/lmdb.ts';
import { lastPrefix } from './bucket-writer.ts';
import { buildingFile, type HashType, readPlan } from './corpus-files.ts';
import { BUCKETS, prefixText } from './corpus-head.ts';

/** The last prefix that a running or interrupted load has written; null when there is no such load. */
export async function findUnfinishedLoad(dataDir: string, type: HashType): Promise<string | null> {
  if (readPlan(dataDir, type) === null) return null;
  const environment = openEnvironment(buildingFile(dataDir, type), 'read');
  try {
    const table = openTable(environment, BUCKETS);
    const last = table === undefined ? null : lastPrefix(table);
    return last === null ? null : prefixText(last);
  } finally {
    await environment.close();
  }
}
