import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders and files that the bundle is made of, relative to the root of the project. */
const MADE_OF = ['package-lock.json', 'server/build', 'server/src'] as const;
const RECORD = 'sources.json';

type Source = { readonly path: string; readonly size: number; readonly mtimeMs: number };

/** What the sources of a bundle were when it was built. */
type SourceRecord = { readonly builtAtMs: number; readonly listing: string; readonly content: string };

/** Describes the sources as they are now. Taken before a build, so that a source that changes meanwhile makes it outdated. */
export function describeSources(root: string): SourceRecord {
  const builtAtMs = Date.now();
  const sources = listSources(root);
  return { builtAtMs, listing: listingOf(sources), content: contentOf(root, sources) };
}

export const writeSourceRecord = (bundle: string, record: SourceRecord): void =>
  writeFileSync(join(bundle, RECORD), `${JSON.stringify(record, null, 2)}\n`);

/** Whether a bundle is of the sources as they are: the reason why it is not, or null. */
export function reasonAgainstBundle(root: string, bundle: string): string | null {
  const record = readRecord(join(bundle, RECORD));
  if (record === null) return 'there is no bundle in server/dist';
  const sources = listSources(root);
  // Names and sizes are compared too, because a file that was removed, or copied with its old time, is not newer.
  const isSame =
    record.listing === listingOf(sources) &&
    // The content is read only where a time is newer: a checkout writes files again that did not change.
    (sources.every(({ mtimeMs }) => mtimeMs <= record.builtAtMs) ||
      record.content === contentOf(root, sources));
  return isSame ? null : 'the bundle in server/dist was built from other sources';
}

function readRecord(file: string): SourceRecord | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SourceRecord;
  } catch {
    return null;
  }
}

const listSources = (root: string): readonly Source[] => MADE_OF.flatMap((path) => sourcesIn(root, path));

function sourcesIn(root: string, path: string): readonly Source[] {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [{ path, size: stats.size, mtimeMs: stats.mtimeMs }];
  return readdirSync(join(root, path))
    .sort()
    .filter((name) => !name.endsWith('.test.ts'))
    .flatMap((name) => sourcesIn(root, `${path}/${name}`));
}

const listingOf = (sources: readonly Source[]): string => {
  const hash = createHash('sha256');
  for (const { path, size } of sources) hash.update(`${path} ${size}\n`);
  return hash.digest('hex');
};

const contentOf = (root: string, sources: readonly Source[]): string => {
  const hash = createHash('sha256');
  for (const { path } of sources) hash.update(readFileSync(join(root, path)));
  return hash.digest('hex');
};
