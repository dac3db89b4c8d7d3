import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, read, succeeds } from './commands.ts';
import { compareVersions } from './version.ts';

/** Reasons why the release cannot be made now, as sentences; changes nothing. */
export async function findObstacles(version: string): Promise<string[]> {
  const obstacles: string[] = [];
  const changed = await read('git', ['status', '--porcelain']);
  if (changed !== '')
    obstacles.push(`The working tree is not clean. Commit or remove these first:\n${changed}`);
  if (await succeeds('git', ['rev-parse', '--quiet', '--verify', `refs/tags/v${version}`]))
    obstacles.push(`The tag v${version} exists already.`);
  const { version: present } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (compareVersions(version, present) < 0)
    obstacles.push(`${version} is older than ${present}, the version of package.json.`);
  return obstacles;
}
