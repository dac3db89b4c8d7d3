import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Values } from '../server/launch/settings-files.ts';
import { StartError } from './start-error.ts';

const HEAD = `# Written by npm start. It holds secrets: keep it to yourself, and keep a copy of it with your backups, because API keys
# and sessions do not work without them. Settings of your own belong in .env, which wins over this file.`;

export function writeGeneratedFile(file: string, values: Values): void {
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}=${quoted(value)}`],
  );
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Written beside and renamed, so that a crash leaves the secrets of before.
    const draft = `${file}.new`;
    writeFileSync(draft, `${HEAD}\n${lines.join('\n')}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (error) {
    throw new StartError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}). Make its folder writable for this user, or name another one: DATA_DIR=/path npm start`,
    );
  }
}

/** Quoted, because a # begins a comment. */
const quoted = (value: string): string => (value.includes("'") ? `"${value}"` : `'${value}'`);
