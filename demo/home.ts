import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DemoError } from './cli-options.ts';

const LEFTOVERS_GRACE_MS = 20_000;
const LEFTOVERS_POLL_MS = 100;

export const SAMPLE = 2;

const KeyPair = z.object({ apiKey: z.string(), apiSecret: z.string(), header: z.string() });
export type KeyPair = z.infer<typeof KeyPair>;

/** What is stored beyond a stop with --keep, so that the next start can open the data again. */
const Kept = z.object({
  /** Raised when the demonstration loads more, so that older kept data is loaded again. */
  sample: z.literal(SAMPLE),
  secretKey: z.string(),
  keyPepper: z.string(),
  /** The server that DATABASE_URL named; null for the demonstration's own. */
  postgresUrl: z.string().nullable(),
  loadedAtMs: z.number(),
  keyPair: KeyPair,
});
export type Kept = z.infer<typeof Kept>;

/** Tells the next start about a demonstration that is running. */
const Running = z.object({
  pid: z.int(),
  url: z.string().nullable(),
  /** The processes it started, which outlive a demonstration that was killed. */
  startedPids: z.array(z.int()),
});
type Running = z.infer<typeof Running>;

export type Home = {
  readonly folder: string;
  readonly dataDir: string;
  readonly database: string;
  readonly redisPrefix: string;
  readonly kept: Kept | null;
  readonly keep: (kept: Kept) => void;
  readonly note: (running: Pick<Running, 'url' | 'startedPids'>) => void;
  /** Removes the mark of a running demonstration; kept data stays. */
  readonly release: () => void;
  readonly remove: () => void;
};

export async function claimHome(name: string | null): Promise<Home> {
  const suffix = name === null ? '' : `_${name}`;
  const folder = join(tmpdir(), `assay-demo-${process.getuid?.() ?? 'me'}${suffix.replace('_', '-')}`);
  makeOwnFolder(folder);
  const runningFile = join(folder, 'running.json');
  const keptFile = join(folder, 'kept.json');
  const before = readJson(runningFile, Running);
  if (before !== null && isAlive(before.pid)) throw new DemoError(runsAlready(before, name));
  if (before !== null) await endLeftovers(before.startedPids.filter((pid) => isOurs(pid, folder)));
  const write = (file: string, value: unknown) =>
    writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  const note: Home['note'] = (running) => write(runningFile, { pid: process.pid, ...running });
  note({ url: null, startedPids: [] });
  return {
    folder,
    dataDir: join(folder, 'data'),
    database: `assay_demo${suffix}`,
    redisPrefix: `assay-demo${suffix}`,
    kept: readJson(keptFile, Kept),
    keep: (kept) => write(keptFile, kept),
    note,
    release: () => rmSync(runningFile, { force: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const newSecret = (): string => `1:${randomBytes(32).toString('hex')}`;

const runsAlready = ({ pid, url }: Running, name: string | null): string =>
  `A demonstration runs already${url === null ? ' and is still starting' : `: ${url}`} (process ${pid}). Stop it with Ctrl-C in its terminal or with: kill ${pid}${name === null ? '\nA second one beside it: npm run demo -- --name second' : ''}`;

/** Other users can create this name in the temporary folder, so only a folder that we own is used. */
function makeOwnFolder(folder: string): void {
  // Readable for others, because PostgreSQL's user has its data inside; every secret in it has mode 600.
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const found = lstatSync(folder);
  const uid = process.getuid?.();
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid))
    throw new DemoError(`${folder} belongs to another user. Use another name: npm run demo -- --name mine`);
}

function readJson<T>(file: string, shape: z.ZodType<T>): T | null {
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The pid may have been reused: a leftover of a demonstration has its folder in the environment. */
function isOurs(pid: number, folder: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
  } catch {
    // The process has ended, or this system has no /proc: it is left alone.
    return false;
  }
}

/** Stopped with SIGINT first, because a killed PostgreSQL cannot be restarted at once. */
async function endLeftovers(pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGINT');
  const endMs = performance.now() + LEFTOVERS_GRACE_MS;
  while (pids.some(isAlive) && performance.now() < endMs) await sleep(LEFTOVERS_POLL_MS);
  for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
}
