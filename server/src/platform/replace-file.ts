import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** All of the new text or all of the old, whatever happens in between. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.new`;
  writeFileSync(beside, text, { flush: true });
  renameSync(beside, path);
  syncToDisk(dirname(path));
}

/** A file or a folder: what was written is on disk when this returns. */
export function syncToDisk(path: string): void {
  const opened = openSync(path, 'r');
  fsyncSync(opened);
  closeSync(opened);
}
