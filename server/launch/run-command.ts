import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reasonAgainstBundle } from '../build/source-record.ts';
import { mergeSettings, readSettingsPlaces } from './settings-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUNDLE = join(ROOT, 'server/dist');
const SOURCES = join(ROOT, 'server/src/app/main.ts');

/** Commands that log; all others print an answer, which a script may read. */
const LOGGING: ReadonlySet<string> = new Set(['api', 'worker', 'replicator']);
/** Commands that may know the login that owns the tables. */
const OF_OWNER: ReadonlySet<string> = new Set(['migrate', 'start']);

const [command = ''] = process.argv.slice(2);
try {
  const places = readSettingsPlaces(process.env, { root: ROOT, cwd: process.cwd() });
  if (command === 'start') {
    const { main } = await import('../../start/main.ts');
    await main(process.argv.slice(3), places);
  } else {
    Object.assign(process.env, mergeSettings([places.environment, places.written, places.generated]));
    if (!OF_OWNER.has(command)) {
      delete process.env.MIGRATE_DATABASE_URL;
      delete process.env.MIGRATE_DATABASE_URL_FILE;
    }
    const reason = reasonAgainstBundle(ROOT, BUNDLE);
    if (LOGGING.has(command)) logWhatRuns(reason);
    await import(pathToFileURL(reason === null ? join(BUNDLE, 'main.js') : SOURCES).href);
  }
} catch (error) {
  // Not the folder itself: it may exist for compiled modules alone.
  const isInstalled = existsSync(join(ROOT, 'node_modules/pg'));
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    isInstalled ? `${reason}\n` : 'The packages of Assay are not installed. Run: npm ci\n',
  );
  process.exitCode = 1;
}

/** One line in the form of the service's log, on stderr. */
function logWhatRuns(reason: string | null): void {
  const level = process.env.LOG_LEVEL ?? 'info';
  if (level !== 'info' && level !== 'debug') return;
  const msg =
    reason === null
      ? 'Runs the bundle in server/dist.'
      : `Runs the sources in server/src, because ${reason}. To start faster: npm run build:server`;
  const fields = { level: 30, time: Date.now(), pid: process.pid, process: command, msg };
  process.stderr.write(`${JSON.stringify(fields)}\n`);
}
