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
  /** CPU seconds of the process group and of what it has waited for. */
  readonly cpuSeconds: () => number;
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
    cpuSeconds: () => cpuSecondsOfGroup(pid),
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

function cpuSecondsOfGroup(group: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The fields after the name: state, parent, group; user and system time of the process and of its ended children.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      if (fields[2] === group)
        ticks += [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0);
    } catch {
      // It ended between the listing and the reading.
    }
  }
  return ticks / TICKS_PER_SECOND;
}
