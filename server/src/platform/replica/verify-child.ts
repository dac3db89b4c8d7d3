import { endProcess } from '../end-process.ts';
import { beginRead, type Environment, openEnvironment, openTable, type Table } from '../lmdb.ts';
import { dataFile } from './generations.ts';
import { DERIVED_TABLE, decodeHead, HEAD_KEY, type Head, isCollectionMember, META_TABLE } from './head.ts';
import { readPages } from './pages.ts';
import { SetHash } from './set-hash.ts';
import type { Verdict } from './verify.ts';

const SAMPLES_MAX = 512;
type Sample = { readonly table: string; readonly key: Buffer; readonly value: Buffer };

process.on('disconnect', () => endProcess(0));
// A parent that was killed while this file loaded sends no event any more; without this line the child would stay.
if (!process.connected) endProcess(0);
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

const folder = process.argv[2];
if (folder === undefined) throw new Error('Which generation?');
let verdict: Verdict;
try {
  verdict = { ok: true, head: await verify(folder) };
} catch (error) {
  verdict = { ok: false, reason: error instanceof Error ? error.message : String(error) };
}
process.send?.(verdict, undefined, undefined, () => endProcess(0));

async function verify(generation: string): Promise<Head> {
  const environment = openEnvironment(dataFile(generation), 'read');
  const tables = openTables(environment);
  // Held while the pages are read, so that a writer reuses no page of this snapshot or of a later one.
  const snapshot = { transaction: beginRead(environment) };
  try {
    const seen = decodeHead(tables.get(META_TABLE)?.getBinary(HEAD_KEY, snapshot));
    const { head, samples } = readAll(generation, Buffer.from(seen.hashKey, 'hex'));
    // The pages may be of a later commit than the snapshot; then LMDB would rightly give another answer.
    if (JSON.stringify(head) === JSON.stringify(seen))
      for (const { table, key, value } of samples)
        if (tables.get(table)?.getBinary(key, snapshot)?.equals(value) !== true)
          throw new Error('LMDB returns another value than the pages hold.');
    return head;
  } finally {
    snapshot.transaction.done();
    await environment.close();
  }
}

function openTables(environment: Environment): Map<string, Table> {
  const meta = openTable(environment, META_TABLE);
  const head = decodeHead(meta?.getBinary(HEAD_KEY));
  const names = [META_TABLE, DERIVED_TABLE, ...Object.keys(head.changed).filter(isCollectionMember)];
  return new Map(
    names.map((name) => {
      const table = openTable(environment, name);
      if (table === undefined) throw new Error(`The generation has no table '${name}'.`);
      return [name, table];
    }),
  );
}

/** Reads every page and every entry; the head must describe exactly these. */
function readAll(generation: string, hashKey: Buffer): { head: Head; samples: Sample[] } {
  const hash = new SetHash(hashKey);
  const labels = new Map<string, Buffer>();
  const samples: Sample[] = [];
  let headBytes: Buffer | undefined;
  let entries = 0;
  let stride = 1;
  readPages(dataFile(generation), (table, key, value) => {
    if (table === META_TABLE) {
      headBytes = Buffer.from(value);
      return;
    }
    let label = labels.get(table);
    if (label === undefined) {
      label = Buffer.from(table);
      labels.set(table, label);
    }
    hash.add(label, key, value);
    if (table === DERIVED_TABLE) return;
    entries += 1;
    if (entries % stride !== 0) return;
    samples.push({ table, key: Buffer.from(key), value: Buffer.from(value) });
    if (samples.length < SAMPLES_MAX) return;
    stride *= 2;
    samples.splice(0, samples.length, ...samples.filter((_, index) => index % 2 === 0));
  });
  const head = decodeHead(headBytes);
  if (head.entries !== entries) throw new Error(`Found ${entries} entries instead of ${head.entries}.`);
  if (head.setHash !== hash.digest()) throw new Error('The entries do not match the set hash.');
  return { head, samples };
}
