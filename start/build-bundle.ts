import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reasonAgainstBundle } from '../server/build/source-record.ts';

const ROOT = join(import.meta.dirname, '..');
const BUNDLE = join(ROOT, 'server/dist');
const BUILD_WITHIN_MS = 300_000;
const run = promisify(execFile);

/** The module that starts every command of the service, and what to tell about it. */
export type Program = { readonly main: string; readonly note: string | null };

/** Builds the bundle of the server where it is missing or older than the sources. Without it the sources are started. */
export async function buildBundle(): Promise<Program> {
  const main = join(BUNDLE, 'main.js');
  if (reasonAgainstBundle(ROOT, BUNDLE) === null) return { main, note: null };
  try {
    await run(process.execPath, [join(ROOT, 'server/build/main.ts')], { timeout: BUILD_WITHIN_MS });
    return { main, note: 'Bundle of the server built' };
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error).trim();
    return {
      main: join(ROOT, 'server/src/app/main.ts'),
      note: `The bundle of the server could not be built (${said.split('\n').find((line) => /error/i.test(line)) ?? said.slice(-200)}), so the sources are started. Try it by hand: npm run build:server`,
    };
  }
}
