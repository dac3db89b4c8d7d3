import { plural } from '#domain/text/plural.ts';
import { type ServiceError, unavailable } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Log } from '#platform/log.ts';
import { NOT_CHARGED, RETRY_AFTER_S, ScanSlot } from './scan-slot.ts';
import type { Form } from './scan-steps.ts';
import { ScanThread, type ScanThreadLimits } from './scan-thread.ts';

export type ScanLimits = ScanThreadLimits & {
  /** Messages that are read at the same time; each has a thread of its own. */
  readonly slots: number;
};

export type ScanCaller = Pick<Principal, 'accountId' | 'plan'>;

export type ScanThreads = {
  /** Takes a slot for a body that is here; a refusal when all that the caller may use are in use (contract 4.9). */
  readonly takeSlot: <F extends Form>(caller: ScanCaller, form: F) => ScanSlot<F> | ServiceError;
  readonly busy: () => number;
  readonly close: () => void;
};

/**
 * Scan slots and their threads. One account has at most half of the slots, rounded up, so that a caller with long messages
 * leaves room for others. All accounts of the FREE plan together have half as well, because anyone can have many of them.
 * Half of two slots a core still keeps every core busy.
 */
export function openScanThreads(limits: ScanLimits, log: Log): ScanThreads {
  const idle: ScanThread[] = [];
  const all = new Set<ScanThread>();
  const byAccount = new Map<string, number>();
  const half = Math.ceil(limits.slots / 2);
  let taken = 0;
  let takenByFree = 0;

  const take = async (): Promise<ScanThread> => {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      if (!thread.isOver) return thread;
      all.delete(thread);
    }
    const thread = new ScanThread(limits);
    all.add(thread);
    try {
      await thread.start();
    } catch (error) {
      all.delete(thread);
      throw error;
    }
    return thread;
  };
  const giveBack = (thread: ScanThread): void => {
    if (thread.scans >= limits.scansPerThread) thread.end();
    if (thread.isOver) all.delete(thread);
    else idle.push(thread);
  };
  const count = ({ accountId, plan }: ScanCaller, by: 1 | -1): void => {
    taken += by;
    if (plan === FREE) takenByFree += by;
    const own = (byAccount.get(accountId) ?? 0) + by;
    if (own === 0) byAccount.delete(accountId);
    else byAccount.set(accountId, own);
  };

  return {
    takeSlot: (caller, form) => {
      if (taken >= limits.slots) return inUse('All scan slots of this server are in use.');
      if ((byAccount.get(caller.accountId) ?? 0) >= half)
        return inUse(`Your account may have ${plural(half, 'scan')} under way at a time on this server.`);
      if (caller.plan === FREE && takenByFree >= half)
        return inUse('The scan slots of the FREE plan on this server are in use.');
      count(caller, 1);
      return new ScanSlot(form, { take, giveBack, limits, log, onFree: () => count(caller, -1) });
    },
    busy: () => taken,
    close: () => {
      for (const thread of all) thread.end();
      all.clear();
    },
  };
}

const FREE = 'FREE';
const inUse = (what: string): ServiceError =>
  unavailable(`${what} ${NOT_CHARGED} Try again in 2 seconds.`, RETRY_AFTER_S);
