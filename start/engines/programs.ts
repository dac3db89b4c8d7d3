import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where packages install server programs that are not on the PATH. */
const POSTGRES_PARENTS = [
  { folder: '/usr/lib/postgresql', inside: 'bin' },
  { folder: '/opt/homebrew/opt', inside: 'bin', prefix: 'postgresql' },
  { folder: '/usr/local/opt', inside: 'bin', prefix: 'postgresql' },
  { folder: '/Applications/Postgres.app/Contents/Versions', inside: 'bin' },
] as const;

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const listed = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const onPath = (): readonly string[] =>
  (process.env.PATH ?? '').split(delimiter).filter((each) => each !== '');

export function findPostgresPrograms(): string | null {
  const packaged = POSTGRES_PARENTS.flatMap((parent) =>
    listed(parent.folder)
      .filter((name) => !('prefix' in parent) || name.startsWith(parent.prefix))
      .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
      .map((name) => join(parent.folder, name, parent.inside)),
  );
  const folders = [...packaged, ...onPath()];
  return folders.find((each) => ['initdb', 'postgres'].every((name) => isProgram(join(each, name)))) ?? null;
}

export function findRedisProgram(): string | null {
  const candidates = ['redis-server', 'valkey-server'].flatMap((name) =>
    onPath().map((folder) => join(folder, name)),
  );
  return candidates.find(isProgram) ?? null;
}
