import { type Actor, recordAudit } from '#capabilities/access/index.ts';
import { countOpen } from '#capabilities/alerts/index.ts';
import type { OwnWords } from '#capabilities/org-indicators/index.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import {
  CHECK_HOURS,
  holdsFreedPlaces,
  PLACE_FREE_AFTER_MS,
  refusedPlace,
  statusOf,
  WATCH_STATUSES,
} from '#domain/monitoring/index.ts';
import { isPlan } from '#domain/plans/plans.ts';
import type { Clock } from '#platform/clock.ts';
import { badRequest, forbidden, notFound } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import { newId } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import type {
  NotifyBody,
  UnwatchBody,
  WatchBody,
  WatchItem,
  WatchList,
  WatchMetrics,
  WatchQuery,
} from './contract.ts';
import type { Judge, Judged } from './judge-target.ts';
import { type FacetLookups, facetPlanOf } from './look-up-facets.ts';
import { deleteFreedPlaces, hasItem, insertFreedPlace, selectFreedPlaces } from './place-store.ts';
import {
  addToAccount,
  countByState,
  countItems,
  deleteItem,
  type ItemRow,
  insertItem,
  insertTarget,
  lockAccount,
  selectItem,
  selectItems,
  updateNotify,
} from './store.ts';
import { ENTITY_TYPES, indicatorOf, type Target, targetOf } from './target.ts';

export const KEEP_JOB = 'monitoring.keep';

export type MonitoringDeps = {
  readonly clock: Clock;
  readonly postgres: Postgres;
  /** Judges on the replica of this node. */
  readonly judge: Judge;
  readonly own: OwnWords;
  readonly lookups: FacetLookups;
  readonly limitOf: (principal: Principal) => number;
};
export type Acting = { readonly principal: Principal; readonly actor: Actor };

/** Text that is not an id is not looked up, because the database refuses U+0000. */
const isItemId = (id: string): boolean => /^mon_[0-9A-Z]+$/.test(id);
const isoOf = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));
const NOTHING = {
  certificate: 'inapplicable',
  registration: 'inapplicable',
  location: 'inapplicable',
} as const;

function presentItem({ lookups }: MonitoringDeps, row: ItemRow): WatchItem {
  const indicator = indicatorOf(row.value);
  return {
    id: row.id,
    entityType: row.entityType,
    value: row.value,
    label: row.label,
    notify: row.notify,
    status: statusOf(row.level, row.isMalicious),
    riskScore: row.score,
    lastCheckedAt: isoOrNull(row.checkedAtMs),
    nextCheckAt: isoOf(row.nextCheckAtMs),
    lastChangeAt: isoOrNull(row.changedAtMs),
    createdAt: isoOf(row.createdAtMs),
    lookups: indicator === null ? NOTHING : facetPlanOf(lookups, indicator),
  };
}

export const listItems = (
  deps: MonitoringDeps,
  principal: Principal,
  query: WatchQuery,
): Promise<WatchList> =>
  deps.postgres.withAccount(principal.accountId, async (tx) => ({
    items: (await selectItems(tx, principal.accountId, query)).map((row) => presentItem(deps, row)),
    total: await countItems(tx, principal.accountId),
    limit: deps.limitOf(principal),
  }));

/** Parses a value to watch. Throws 400 for one that cannot be watched. */
function readTarget(value: string, entityType: string | undefined): { target: Target; indicator: Indicator } {
  const parsed = parseIndicator(value);
  const target = parsed.ok ? targetOf(parsed.indicator) : null;
  if (!parsed.ok || target === null)
    throw badRequest('Only an address, a domain, a URL or an e-mail address can be watched.', [
      { path: 'value', message: 'Send a value such as 203.0.113.7, example.com or name@example.com.' },
    ]);
  if (entityType !== undefined && entityType !== target.entityType)
    throw badRequest(`The value is of the type ${target.entityType}.`, [
      { path: 'entityType', message: `Send ${target.entityType}, or leave it out.` },
    ]);
  return { target, indicator: parsed.indicator };
}

export type Added = { readonly isNew: boolean; readonly item: WatchItem };
const FOREIGN_KEY_VIOLATION = '23503';

/** Tries twice: the worker may delete a target without watchers before the new item refers to it. */
export async function addItem(deps: MonitoringDeps, by: Acting, body: WatchBody): Promise<Added> {
  try {
    return await addOnce(deps, by, body);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== FOREIGN_KEY_VIOLATION) throw error;
    return addOnce(deps, by, body);
  }
}

async function addOnce(deps: MonitoringDeps, by: Acting, body: WatchBody): Promise<Added> {
  const { principal, actor } = by;
  const { accountId, organizationId } = principal;
  const { target, indicator } = readTarget(body.value, body.entityType);
  const nowMs = deps.clock.now();
  const limit = deps.limitOf(principal);
  const own = organizationId === null ? null : deps.own.find(organizationId, indicator, nowMs);
  const hasOwn = own !== null && own.match !== null;
  return deps.postgres.withAccount(accountId, async (tx) => {
    const items = await lockAccount(tx, accountId);
    const known = await selectItem(tx, accountId, { key: target.key });
    if (known !== undefined) return { isNew: false, item: presentItem(deps, known) };
    await refuseWithoutPlace(tx, principal, target, { items, limit, nowMs });
    const hours = CHECK_HOURS[isPlan(principal.plan) ? principal.plan : 'FREE'];
    const shared = deps.judge(indicator, nowMs);
    await insertTarget(tx, target, shared, { nowMs, nextCheckMs: nowMs + hours * HOUR_MS });
    const id = newId('mon', nowMs);
    const judged: Judged = hasOwn ? deps.judge(indicator, nowMs, own) : shared;
    const item = { id, accountId, key: target.key, label: body.label ?? null, notify: body.notify };
    await insertItem(tx, { ...item, own: own?.match ?? null, judged }, nowMs);
    await addToAccount(tx, accountId, 1);
    const after = { value: target.value, notify: body.notify };
    await recordAudit(tx, {
      accountId,
      actor,
      action: 'monitoring.watch',
      target: id,
      before: null,
      after,
      nowMs,
    });
    await enqueue(tx, KEEP_JOB, {}, { key: `${KEEP_JOB}:${accountId}`, queue: KEEP_JOB, maxAttempts: 5 });
    return { isNew: true, item: presentItem(deps, await itemOf(tx, accountId, { id })) };
  });
}

async function refuseWithoutPlace(
  tx: Db,
  { accountId, plan }: Principal,
  { key }: Target,
  { items, limit, nowMs }: { readonly items: number; readonly limit: number; readonly nowMs: number },
): Promise<void> {
  const untilMs = nowMs - PLACE_FREE_AFTER_MS;
  const freedAtMs = holdsFreedPlaces(plan) ? await selectFreedPlaces(tx, accountId, key, untilMs) : [];
  const refused = refusedPlace({ items, limit, freedAtMs }, nowMs);
  if (refused !== null) throw forbidden(refused);
  if (holdsFreedPlaces(plan)) await deleteFreedPlaces(tx, accountId, key, untilMs);
}

async function itemOf(
  tx: Db,
  accountId: string,
  by: { readonly id: string } | { readonly key: Buffer; readonly value: string },
): Promise<ItemRow> {
  const isReadable = !('id' in by) || isItemId(by.id);
  const row = isReadable ? await selectItem(tx, accountId, by) : undefined;
  if (row === undefined) throw notFound('Watched item', 'id' in by ? by.id : by.value);
  return row;
}

export async function toggleNotify(
  { ...deps }: MonitoringDeps,
  { principal: { accountId }, actor }: Acting,
  { id, notify }: NotifyBody,
): Promise<{ readonly item: WatchItem }> {
  const nowMs = deps.clock.now();
  return deps.postgres.withAccount(accountId, async (tx) => {
    await lockAccount(tx, accountId);
    const row = await itemOf(tx, accountId, { id });
    const wanted = notify ?? !row.notify;
    if (wanted !== row.notify) {
      await updateNotify(tx, id, wanted);
      const [before, after] = [{ notify: row.notify }, { notify: wanted }];
      await recordAudit(tx, {
        accountId,
        actor,
        action: 'monitoring.notify',
        target: id,
        before,
        after,
        nowMs,
      });
    }
    return { item: presentItem(deps, { ...row, notify: wanted }) };
  });
}

/** The target stays until its next check: other accounts may watch it. */
export async function removeItem(
  { postgres, clock }: MonitoringDeps,
  { principal: { accountId, plan }, actor }: Acting,
  body: UnwatchBody,
): Promise<{ readonly removed: true }> {
  const by =
    body.id === undefined
      ? { key: readTarget(body.value ?? '', body.entityType).target.key, value: body.value ?? '' }
      : { id: body.id };
  return postgres.withAccount(accountId, async (tx) => {
    await lockAccount(tx, accountId);
    const row = await itemOf(tx, accountId, by);
    await deleteItem(tx, row.id);
    await addToAccount(tx, accountId, -1);
    const nowMs = clock.now();
    if (holdsFreedPlaces(plan)) {
      await deleteFreedPlaces(tx, accountId, null, nowMs - PLACE_FREE_AFTER_MS);
      await insertFreedPlace(tx, accountId, row.key, nowMs);
    }
    const entry = { accountId, actor, action: 'monitoring.unwatch', target: row.id, after: null };
    await recordAudit(tx, { ...entry, before: { value: row.value }, nowMs });
    return { removed: true };
  });
}

export async function measureItems(
  { postgres, clock, limitOf }: MonitoringDeps,
  principal: Principal,
): Promise<WatchMetrics> {
  const { accountId } = principal;
  const { rows, alertsOpen } = await postgres.withAccount(accountId, async (tx) => ({
    rows: await countByState(tx, accountId, clock.now() - DAY_MS),
    alertsOpen: await countOpen(tx, accountId, 'monitoring'),
  }));
  const sumOf = (fits: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(fits).reduce((sum, { count }) => sum + count, 0);
  return {
    watched: sumOf(() => true),
    limit: limitOf(principal),
    byStatus: Object.fromEntries(
      WATCH_STATUSES.map((status) => [
        status,
        sumOf(({ level, isMalicious }) => statusOf(level, isMalicious) === status),
      ]),
    ) as WatchMetrics['byStatus'],
    byType: Object.fromEntries(
      ENTITY_TYPES.map((type) => [type, sumOf(({ entityType }) => entityType === type)]),
    ) as WatchMetrics['byType'],
    changes24h: sumOf(({ isChanged }) => isChanged),
    alertsOpen,
  };
}

/** Whether the account watches this very value. */
export async function isWatched(
  { postgres }: Pick<MonitoringDeps, 'postgres'>,
  { accountId }: Principal,
  indicator: Indicator | null,
): Promise<boolean> {
  const target = indicator === null ? null : targetOf(indicator);
  return target !== null && postgres.withAccount(accountId, (tx) => hasItem(tx, accountId, target.key));
}

/** How many values an account watches, for its plan. */
export const countWatched = (
  { postgres }: Pick<MonitoringDeps, 'postgres'>,
  accountId: string,
): Promise<number> => postgres.withAccount(accountId, (tx) => countItems(tx, accountId));
