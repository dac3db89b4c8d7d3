import type { Letters } from '#capabilities/letters/index.ts';
import { periodOf } from '#domain/metering/period.ts';
import { type Limits, limitsOf, PLAN_LIMITS } from '#domain/plans/plans.ts';
import type { Clock } from '#platform/clock.ts';
import { emitAll } from '#platform/events.ts';
import type { Db } from '#platform/postgres.ts';
import { QUOTA_SHARES, type QuotaMeter, QuotaReached } from './events.ts';
import {
  insertNotices,
  type LedgerPlace,
  type MeteredMonth,
  type QuotaNotice,
  selectMonths,
  selectOwners,
} from './quota-store.ts';

const PAGE_MAX = 1_000;
const PAGES_MAX = 1_000;

export type TellQuotaDeps = {
  readonly clock: Clock;
  readonly letters: Pick<Letters, 'canSendLetters' | 'enqueueLetter'>;
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
};

/** Notices each account that has reached 80 or 100 percent of a month. Returns how many notices were new. */
export async function tellQuota({ clock, letters, transaction }: TellQuotaDeps): Promise<number> {
  const { name: period, endMs } = periodOf(clock.now());
  let after: LedgerPlace | null = null;
  let told = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const place: LedgerPlace | null = after;
    const { last, fresh } = await transaction(async (tx) => {
      const months = await selectMonths(tx, period, LEAST, place, PAGE_MAX);
      const notices = await insertNotices(
        tx,
        months.flatMap((month) => sharesOf(month, period)),
        clock.now(),
      );
      await announce(tx, notices);
      if (letters.canSendLetters) await writeToOwners(tx, letters, notices, { months, endMs });
      return { last: months.length < PAGE_MAX ? null : (months.at(-1) ?? null), fresh: notices.length };
    });
    told += fresh;
    if (last === null) break;
    after = last;
  }
  return told;
}

const announce = (tx: Db, notices: readonly QuotaNotice[]): Promise<void> =>
  emitAll(
    tx,
    notices.map(({ accountId, allowed, ...notice }) => ({
      type: QuotaReached,
      accountId,
      payload: { ...notice, limit: allowed },
    })),
  );

/** One letter for each meter: if a month passes 80 and 100 percent at once, the letter speaks of 100. */
async function writeToOwners(
  tx: Db,
  { enqueueLetter }: TellQuotaDeps['letters'],
  notices: readonly QuotaNotice[],
  { months, endMs }: { readonly months: readonly MeteredMonth[]; readonly endMs: number },
): Promise<void> {
  const highest = notices.filter(
    ({ accountId, meter, share }) =>
      !notices.some((other) => other.accountId === accountId && other.meter === meter && other.share > share),
  );
  const owners = await selectOwners(tx, [...new Set(highest.map(({ accountId }) => accountId))]);
  for (const { accountId, meter, period, share, used, allowed } of highest) {
    const plan = months.find((month) => month.accountId === accountId)?.plan ?? 'FREE';
    const facts = {
      plan,
      meter,
      share: `${share} %`,
      used: used.toLocaleString('en'),
      limit: allowed.toLocaleString('en'),
      resetsAt: new Date(endMs).toISOString(),
    };
    for (const { email, userId } of owners.filter((owner) => owner.accountId === accountId))
      await enqueueLetter(tx, {
        to: email,
        kind: 'quota-reached',
        facts,
        accountId,
        key: `quota:${meter}:${period}:${share}:${userId}`,
      });
  }
}

const figureOf = (limits: Limits, meter: QuotaMeter): number =>
  meter === 'checks' ? limits.checksPerMonth : limits.scansPerMonth;

const leastOf = (meter: QuotaMeter): number =>
  Math.floor((Math.min(...Object.values(PLAN_LIMITS).map((limits) => figureOf(limits, meter))) * 80) / 100);

const LEAST = { checks: leastOf('checks'), scans: leastOf('scans') };

function sharesOf({ accountId, meter, used, ...held }: MeteredMonth, period: string): QuotaNotice[] {
  const allowed = figureOf(limitsOf(held.plan, held.status, held.overrides), meter);
  return QUOTA_SHARES.filter((share) => used * 100 >= share * allowed).map((share) => ({
    accountId,
    meter,
    period,
    share,
    used,
    allowed,
  }));
}
