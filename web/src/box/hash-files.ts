import { refusalOfFile } from './file-kind.ts';
import { type HashOptions, hashFile } from './hash-file.ts';

export const UNREADABLE =
  'The browser could not read this file. It may be a folder, or it changed meanwhile; drop it again.';

export type HashedFile = {
  readonly name: string;
  readonly hash: string | null;
  readonly problem: string | null;
};

/** One file at a time: two at once would share the processor, and large files would add up in memory. */
export async function hashFiles(
  files: readonly File[],
  { signal, onProgress }: HashOptions,
): Promise<readonly HashedFile[]> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const hashed: HashedFile[] = [];
  let before = 0;
  for (const file of files) {
    const already = before;
    const tell = (share: number): void => onProgress((already + share * file.size) / Math.max(1, bytes));
    hashed.push(await hashOne(file, { signal, onProgress: tell }));
    before += file.size;
    tell(1);
  }
  return hashed;
}

async function hashOne(file: File, options: HashOptions): Promise<HashedFile> {
  const { name } = file;
  const refusal = refusalOfFile(file.size);
  if (refusal !== null) return { name, hash: null, problem: refusal };
  try {
    return { name, hash: await hashFile(file, options), problem: null };
  } catch {
    // An abort ends the whole run, not only this file.
    options.signal.throwIfAborted();
    return { name, hash: null, problem: UNREADABLE };
  }
}
