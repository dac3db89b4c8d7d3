import { readdirSync, readFileSync } from 'node:fs';

/** /proc counts in hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export type ProcessTimes = {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** CPU seconds of the process itself. */
  readonly ownSeconds: number;
  /** CPU seconds of its children that have ended and were waited for, with those of their own children. */
  readonly endedChildrenSeconds: number;
};

/** One line of /proc/PID/stat; the name is in parentheses and may hold spaces and parentheses itself. */
export function parseStat(line: string): ProcessTimes {
  const [opens, closes] = [line.indexOf('('), line.lastIndexOf(')')];
  const fields = line.slice(closes + 2).split(' ');
  const seconds = (...at: number[]) =>
    at.reduce((sum, each) => sum + Number(fields[each]), 0) / TICKS_PER_SECOND;
  return {
    pid: Number(line.slice(0, opens)),
    parent: Number(fields[1]),
    name: line.slice(opens + 1, closes),
    ownSeconds: seconds(11, 12),
    endedChildrenSeconds: seconds(13, 14),
  };
}

export function readProcesses(): readonly ProcessTimes[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [parseStat(readFileSync(`/proc/${name}/stat`, 'utf8'))];
    } catch {
      // The process ended after /proc was listed.
      return [];
    }
  });
}

/** CPU seconds of a process, of its children that have ended, and of every descendant that still runs. */
export function treeSeconds(root: number, processes: readonly ProcessTimes[]): number {
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const secondsOf = (each: ProcessTimes): number =>
    each.ownSeconds +
    each.endedChildrenSeconds +
    (children.get(each.pid) ?? []).reduce((sum, child) => sum + secondsOf(child), 0);
  const top = processes.find(({ pid }) => pid === root);
  return top === undefined ? 0 : secondsOf(top);
}

/** CPU seconds of every process with this name, wherever it was started, such as the PostgreSQL that tests share. */
export const namedSeconds = (name: string, processes: readonly ProcessTimes[]): number =>
  processes
    .filter((each) => each.name === name)
    .reduce((sum, each) => sum + each.ownSeconds + each.endedChildrenSeconds, 0);
