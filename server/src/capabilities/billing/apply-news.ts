import {
  type Actor,
  accountExists,
  changePlan,
  lockSubscription,
  type PlanChange,
} from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import { unavailable } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { judgeSubscriptions } from './judge-subscription.ts';
import type { BillingProvider, News, ProviderSubscription } from './provider.ts';
import {
  findAccountOfCustomer,
  findCustomer,
  insertEvent,
  isEventKnown,
  lockBilling,
  putCustomer,
  saveOutcome,
} from './store.ts';

export type NewsDeps = {
  readonly clock: Clock;
  readonly log: Log;
  /** The connection with the system role: a delivered event may concern any account. */
  readonly system: Postgres;
};

const RETRY_S = 3_600;

/**
 * Applies an event of the payment provider once. Events arrive in any order and repeatedly, so an event only says that
 * a subscription changed: its state is read from the provider, and a state older than the one applied last is dropped.
 */
export async function applyNews(
  { clock, log, system }: NewsDeps,
  provider: BillingProvider,
  news: News,
  from: Pick<Actor, 'ip' | 'requestId'>,
): Promise<void> {
  if (await isEventKnown(system.db, news.id)) return;
  const askedAtMs = clock.now();
  const told = news.subscriptionId === null ? null : await provider.readSubscription(news.subscriptionId);
  if (told !== null && told.sold === null && told.status !== 'ended' && told.status !== 'unpaid') {
    // The 503 makes the provider deliver the event again for days, which gives the operator time to add the price.
    log.error(
      { event: news.id, price: told.price },
      'STRIPE_PRICES does not name the price of a subscription',
    );
    throw unavailable('This price is not known here yet.', RETRY_S);
  }
  const others = told === null ? [] : await readOthers({ system }, provider, news, told);
  const outcome = await system.transaction(async (tx) => {
    if (!(await insertEvent(tx, news, askedAtMs))) return 'known';
    const words =
      told === null ? 'concerns no plan' : await apply(tx, { news, told, others, askedAtMs, from });
    await saveOutcome(tx, news.id, words);
    return words;
  });
  log.info({ event: news.id, type: news.type, outcome }, 'billing.event');
}

type Applied = {
  readonly news: News;
  readonly told: ProviderSubscription;
  readonly others: readonly ProviderSubscription[];
  readonly askedAtMs: number;
  readonly from: Pick<Actor, 'ip' | 'requestId'>;
};

/**
 * The subscriptions beside that of the event. Two checkouts at once may have made two customers of one account, so those of the
 * customer that is stored count too.
 */
async function readOthers(
  { system }: Pick<NewsDeps, 'system'>,
  provider: BillingProvider,
  news: News,
  told: ProviderSubscription,
): Promise<readonly ProviderSubscription[]> {
  const accountId = told.accountId ?? news.accountId;
  const known = accountId === null ? undefined : await findCustomer(system.db, accountId);
  const customers = new Set([told.customerId, ...(known === undefined ? [] : [known.customerId])]);
  const lists = await Promise.all([...customers].map((id) => provider.listSubscriptions(id)));
  const isOfAnother = ({ accountId: owner }: ProviderSubscription): boolean =>
    accountId !== null && owner !== null && owner !== accountId;
  return lists.flat().filter((each) => !isOfAnother(each));
}

async function apply(tx: Db, { news, told, others, askedAtMs, from }: Applied): Promise<string> {
  const accountId = told.accountId ?? news.accountId ?? (await findAccountOfCustomer(tx, told.customerId));
  if (accountId === undefined || !(await accountExists(tx, accountId))) return 'no such account';
  await lockBilling(tx, accountId);
  const known = await findCustomer(tx, accountId);
  if (known !== undefined && known.toldAtMs > askedAtMs) return 'a newer state was applied before';
  const judged = judgeSubscriptions(told, others);
  if (judged.kind === 'nothing') return judged.why;
  const { subscription, change } = judged;
  await putCustomer(tx, {
    accountId,
    customerId: (subscription ?? told).customerId,
    subscriptionId: subscription?.id ?? null,
    periodEndMs: subscription?.periodEndMs ?? null,
    toldAtMs: askedAtMs,
  });
  if (await saysAlready(tx, accountId, change)) return 'no change of plan';
  const actor: Actor = { kind: 'system', id: 'billing', ...from };
  await changePlan(tx, actor, accountId, change, askedAtMs);
  return `plan ${change.plan}, ${change.status}`;
}

/** A renewal changes only the end of the period, so it is no change of plan and writes no line of the audit trail. */
async function saysAlready(tx: Db, accountId: string, change: PlanChange): Promise<boolean> {
  const now = await lockSubscription(tx, accountId);
  return (
    now !== undefined &&
    now.plan === change.plan &&
    now.billing === change.billing &&
    now.status === change.status
  );
}
