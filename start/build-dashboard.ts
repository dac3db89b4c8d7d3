import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const BUILD_WITHIN_MS = 300_000;
const BUILD = ['run', '--silent', 'build', '--workspace', 'web'] as const;
/** What the dashboard is made of, besides installed packages, which the lock file names. */
const MADE_OF = [
  'package-lock.json',
  'sdk/src',
  'server/src/domain',
  'web/index.html',
  'web/src',
  'web/vite.config.ts',
] as const;
const run = promisify(execFile);

export type Dashboard = {
  readonly isBuilt: boolean;
  readonly note: string | null;
};

/**
 * Builds the dashboard when its sources are newer than the last build. Never throws, because the API can be shown
 * without it.
 */
export async function buildDashboard(mayBuild: boolean): Promise<Dashboard> {
  const web = join(ROOT, 'web');
  const built = newestMs(join(web, 'dist'));
  if (!mayBuild || !existsSync(join(web, 'vite.config.ts')))
    return {
      isBuilt: built > 0,
      note: built > 0 ? null : 'There is no built dashboard here; the API is shown alone.',
    };
  const sources = Math.max(...MADE_OF.map((path) => newestMs(join(ROOT, path))));
  if (built > sources) return { isBuilt: true, note: null };
  try {
    await run('npm', [...BUILD], { cwd: ROOT, timeout: BUILD_WITHIN_MS, env: withOwnNode() });
    return { isBuilt: true, note: 'Dashboard built' };
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error).trim();
    const why = said.split('\n').find((line) => /error/i.test(line)) ?? said.slice(-200);
    return {
      isBuilt: built > 0,
      note: `The dashboard could not be built (${why.trim()}). ${built > 0 ? 'The one built before is shown.' : 'The API is shown alone.'} Try it by hand: npm run build -w web`,
    };
  }
}

/** Puts the running Node first on the PATH, before any other installed version. */
const withOwnNode = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [join(process.execPath, '..'), process.env.PATH ?? ''].join(delimiter),
});

function newestMs(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  // The time of the folder itself is newer when a file was removed.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}
