import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A bash in a process group of its own, as a terminal of a person is: commands are typed, Ctrl-C reaches the group. */
export type Terminal = {
  readonly type: (line: string) => void;
  /** Types one command and waits until it has ended. */
  readonly run: (
    command: string,
    withinMs: number,
  ) => Promise<{ readonly output: string; readonly status: number }>;
  readonly until: (isTrue: (output: string) => boolean, withinMs: number) => Promise<boolean>;
  readonly output: () => string;
  readonly longestSilenceMs: () => number;
  /** CPU seconds of all that was started and of what it has waited for. */
  readonly cpuSeconds: () => number;
  readonly memoryMb: () => number;
  readonly interrupt: () => void;
  readonly ended: (withinMs: number) => Promise<boolean>;
  readonly end: () => Promise<void>;
};

const POLL_MS = 50;
const TICKS_PER_SECOND = 100;

export function startTerminal(cwd: string): Terminal {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd, detached: true, stdio: 'pipe' });
  const pid = child.pid ?? 0;
  let output = '';
  let silentSince = performance.now();
  let longestSilenceMs = 0;
  let hasEnded = false;
  let commands = 0;
  const read = (bytes: Buffer) => {
    const now = performance.now();
    longestSilenceMs = Math.max(longestSilenceMs, now - silentSince);
    silentSince = now;
    output += bytes.toString('utf8');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.stdin.on('error', () => undefined);
  child.once('close', () => {
    hasEnded = true;
  });
  const type = (line: string) => {
    silentSince = performance.now();
    child.stdin.write(`${line}\n`);
  };
  const until = async (isTrue: (text: string) => boolean, withinMs: number) => {
    const endMs = performance.now() + withinMs;
    while (!isTrue(output)) {
      if (hasEnded || performance.now() > endMs) return isTrue(output);
      await sleep(POLL_MS);
    }
    return true;
  };
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-pid, name);
    } catch {
      // The group has ended by itself.
    }
  };
  const ended = async (withinMs: number) => {
    const endMs = performance.now() + withinMs;
    while (!hasEnded && performance.now() < endMs) await sleep(POLL_MS);
    return hasEnded;
  };
  return {
    type,
    until,
    ended,
    output: () => output,
    longestSilenceMs: () => Math.max(longestSilenceMs, performance.now() - silentSince),
    cpuSeconds: () => cpuSecondsOf(pid),
    memoryMb: () => memoryMbOf(pid),
    interrupt: () => signal('SIGINT'),
    run: async (command, withinMs) => {
      commands += 1;
      const from = output.length;
      const mark = `ended-${commands}:`;
      type(command);
      type(`echo "${mark}$?"`);
      const pattern = new RegExp(`${mark}(\\d+)\\n`);
      await until((text) => pattern.test(text.slice(from)), withinMs);
      const printed = output.slice(from);
      const status = Number(pattern.exec(printed)?.[1] ?? -1);
      return { output: printed.replace(pattern, ''), status };
    },
    end: async () => {
      child.stdin.end();
      signal('SIGTERM');
      if (await ended(10_000)) return;
      signal('SIGKILL');
      await ended(10_000);
    },
  };
}

type ProcessTimes = { readonly pid: number; readonly parent: number; readonly ticks: number };

/** The process and all that it started, by their parents: parts of the service have process groups of their own. */
function treeOf(root: number): readonly ProcessTimes[] {
  const all = readdirSync('/proc').flatMap((name): ProcessTimes[] => {
    try {
      if (!/^\d+$/.test(name)) return [];
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The fields after the name: state, parent, …; user and system time of the process and of its ended children.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0);
      return [{ pid: Number(name), parent: fields[1] ?? 0, ticks }];
    } catch {
      // It ended between the listing and the reading.
      return [];
    }
  });
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

const cpuSecondsOf = (root: number): number =>
  treeOf(root).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND;

/** Memory of the tree in MiB; pages that processes share count once. */
const memoryMbOf = (root: number): number =>
  treeOf(root).reduce((sum, { pid }) => {
    try {
      const [, kb = '0'] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
      return sum + Number(kb) / 1_024;
    } catch {
      return sum;
    }
  }, 0);
