import type { Clock } from '#platform/clock.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { ScanDeps } from './scan-message.ts';
import type { ScanThreads } from './scan-threads.ts';

/** Scans that an account has used in its current month. */
export type ScanUsage = {
  readonly used: number;
  readonly limit: number;
  readonly startsAtMs: number;
  readonly resetsAtMs: number;
  /** True: the account's subscription is suspended. */
  readonly isSuspended: boolean;
};

export type MailDeps = ScanDeps & {
  readonly clock: Clock;
  readonly threads: ScanThreads;
  readonly scansOf: (principal: Principal) => Promise<ScanUsage>;
};
