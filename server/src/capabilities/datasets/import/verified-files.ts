import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of, sha256OfFile } from '#platform/sha256.ts';
import type { ManifestFile } from './manifest.ts';

const FILES_MAX = 100_000;

export type VerifiedFiles =
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly problem: 'unreadable' | 'different' };

/**
 * The files of a manifest record, once their checksum is right. A record whose path ends with a slash is a folder; its checksum
 * is that of the sorted lines "checksum  name" of its files.
 */
export async function verifiedFiles(
  folder: string,
  { path, sha256 }: Pick<ManifestFile, 'path' | 'sha256'>,
): Promise<VerifiedFiles> {
  try {
    const names = path.endsWith('/') ? await namesIn(join(folder, path)) : null;
    const paths = names === null ? [join(folder, path)] : names.map((name) => join(folder, path, name));
    const found = names === null ? await shaOf(paths[0] ?? '') : await shaOfFolder(names, paths);
    return found === sha256 ? { ok: true, paths } : { ok: false, problem: 'different' };
  } catch {
    return { ok: false, problem: 'unreadable' };
  }
}

async function namesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  if (names.length > FILES_MAX) throw new Error(`${path} has more than ${FILES_MAX} files.`);
  return names.toSorted();
}

const shaOf = async (path: string): Promise<string> => (await sha256OfFile(path)).sha256;

async function shaOfFolder(names: readonly string[], paths: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const [at, name] of names.entries()) lines.push(`${await shaOf(paths[at] ?? '')}  ${name}\n`);
  return sha256Of(lines.toSorted().join(''));
}
