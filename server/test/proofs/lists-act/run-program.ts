import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '#test/eventually.ts';

/** The package of Debian that has each program. */
const PACKAGES: Readonly<Record<string, string>> = {
  nft: 'nftables',
  ipset: 'ipset',
  iptables: 'iptables',
  ip: 'iproute2',
  unshare: 'util-linux',
  named: 'bind9',
  unbound: 'unbound',
  'unbound-control': 'unbound',
  dnsmasq: 'dnsmasq-base',
  rbldnsd: 'rbldnsd',
  haproxy: 'haproxy',
  squid: 'squid',
};

/** Fails with the command that installs what is missing: a proof without its program proves nothing. */
export function needPrograms(...names: readonly string[]): void {
  const missing = names.filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((name) => PACKAGES[name] ?? name))].join(' ');
  throw new Error(`Not installed: ${missing.join(', ')}. Install: apt-get install ${packages}`);
}

export type Memory = { readonly rssMb: number; readonly peakMb: number };

export type Program = {
  readonly dir: string;
  /** Everything that it wrote to its standard output and error. */
  readonly log: () => string;
  readonly memory: () => Memory;
  readonly hasEnded: () => boolean;
  readonly stop: () => Promise<void>;
};

const folders: string[] = [];

/** A folder that programs of other users may read; `removeFolders` removes it. */
export async function openFolder(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-lists-act-'));
  folders.push(dir);
  await chmod(dir, 0o755);
  return dir;
}

export function removeFolders(): void {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
}

/** A program in the foreground, with its log in its folder. */
export function startProgram(dir: string, command: string, args: readonly string[]): Program {
  const logFile = join(dir, 'output.log');
  const out = openSync(logFile, 'a');
  const child = spawn(command, args, { cwd: dir, stdio: ['ignore', out, out] });
  closeSync(out);
  let failure = '';
  child.once('error', (error) => {
    failure = String(error);
  });
  return {
    dir,
    log: () => readFileSync(logFile, 'utf8') + failure,
    memory: () => memoryOf(child.pid ?? 0),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null || failure !== '',
    stop: () => endOf(child),
  };
}

const KILL_AFTER_MS = 60_000;

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  await gone;
  clearTimeout(kill);
}

function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
  return { rssMb: mb('VmRSS'), peakMb: mb('VmHWM') };
}

export type Ready = { readonly seconds: number; readonly rssMb: number; readonly peakMb: number };

/** A list of a million names takes named half a minute on a quiet machine. */
const READY_WITHIN_MS = 600_000;

/** Waits until a program has loaded its list; fails with its log when it ends before. */
export async function readyAfter(
  program: Program,
  isReady: () => Promise<boolean> | boolean,
): Promise<Ready> {
  const startedAt = performance.now();
  while (!(await isReady())) {
    if (program.hasEnded() || performance.now() - startedAt > READY_WITHIN_MS)
      throw new Error(`The program did not load its list.\n${program.log().slice(-4_000)}`);
    await sleep(20);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, ...program.memory() };
}

export type Finished = { readonly seconds: number; readonly peakMb: number; readonly log: string };

/** Runs a command to its end with a file as its input, and samples the highest memory that the kernel recorded. */
export async function runToEnd(command: string, args: readonly string[], input?: string): Promise<Finished> {
  const from = input === undefined ? 'ignore' : openSync(input, 'r');
  const startedAt = performance.now();
  const child = spawn(command, args, { stdio: [from, 'pipe', 'pipe'] });
  let [log, peakMb] = ['', 0];
  child.stdout?.on('data', (piece) => {
    log += String(piece);
  });
  child.stderr?.on('data', (piece) => {
    log += String(piece);
  });
  const watch = setInterval(() => {
    try {
      peakMb = Math.max(peakMb, memoryOf(child.pid ?? 0).peakMb || 0);
    } catch {
      // The process has ended.
    }
  }, 10);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  if (typeof from === 'number') closeSync(from);
  const seconds = (performance.now() - startedAt) / 1_000;
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}: ${log}`);
  return { seconds, peakMb, log };
}
