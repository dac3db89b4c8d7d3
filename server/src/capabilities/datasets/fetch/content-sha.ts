import { sha256Of, sha256OfFile } from '#platform/sha256.ts';

/** One name for the content of all parts: of a single file its own digest, else a digest of the parts' digests in order. */
export function contentShaOf(shas: readonly string[]): string {
  const [only] = shas;
  return only !== undefined && shas.length === 1 ? only : sha256Of(shas.join('\n'));
}

/** The same name, without reading the files as lists. */
export async function contentShaOfFiles(paths: readonly string[]): Promise<string> {
  const shas: string[] = [];
  for (const path of paths) shas.push((await sha256OfFile(path)).sha256);
  return contentShaOf(shas);
}
