import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** One name for the content of all parts: of a single file its own digest, else a digest of the parts' digests in order. */
export function contentShaOf(shas: readonly string[]): string {
  const [only] = shas;
  if (only !== undefined && shas.length === 1) return only;
  return createHash('sha256').update(shas.join('\n')).digest('hex');
}

export async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}
