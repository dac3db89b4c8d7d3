import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces the text atomically: after a crash the file holds all of the new text or all of the old. Only the user of the
 * service can read it.
 */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.new`;
  writeFileSync(beside, text, { flush: true, mode: 0o600 });
  renameSync(beside, path);
  syncToDisk(dirname(path));
}

export function syncToDisk(path: string): void {
  const opened = openSync(path, 'r');
  fsyncSync(opened);
  closeSync(opened);
}
