import { sha256Of, sha256OfFile } from '#platform/sha256.ts';

/** Identifies the content of all parts: the digest of a single part, else a digest of the parts' digests in order. */
export function contentShaOf(shas: readonly string[]): string {
  const [only] = shas;
  return only !== undefined && shas.length === 1 ? only : sha256Of(shas.join('\n'));
}

/** As `contentShaOf`, from the bytes of the files. */
export async function contentShaOfFiles(paths: readonly string[]): Promise<string> {
  const shas: string[] = [];
  for (const path of paths) shas.push((await sha256OfFile(path)).sha256);
  return contentShaOf(shas);
}
