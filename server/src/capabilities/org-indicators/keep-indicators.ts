import { createKeyWriter } from '#capabilities/corpus/index.ts';
import { plural } from '#domain/text/plural.ts';
import { midnight } from '#domain/text/retry-time.ts';
import type { Clock } from '#platform/clock.ts';
import { badRequest, notFound, ServiceError, unavailable } from '#platform/errors.ts';
import { emitAll, type NewEvent } from '#platform/events.ts';
import type { Principal } from '#platform/http/principal.ts';
import { newId } from '#platform/ids.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { appendChanges } from '#platform/replica/change-log.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { Item, ListQuery, ListReply, OrgIndicator, SubmitReply, SubmitWarning } from './contract.ts';
import { ENTRIES, ORGANIZATIONS, STATES } from './dataset.ts';
import { entryKeyOf } from './entry-key.ts';
import { IndicatorAdded, IndicatorRestored, IndicatorRevoked } from './events.ts';
import { DATES_AHEAD_MS, renewObjects } from './object-store.ts';
import { warningsOfOwnSpace } from './own-space.ts';
import { type BatchPlan, type Planned, planBatch } from './plan-batch.ts';
import {
  countCharged,
  countIndicators,
  endPeriods,
  findByValues,
  type IndicatorRow,
  insertRevision,
  lockIndicator,
  lockState,
  revokeIndicator,
  type State,
  selectIndicators,
  startPeriods,
  updateState,
  upsertIndicators,
  type WrittenIndicator,
} from './store.ts';

export type OrgIndicatorsDeps = {
  readonly postgres: Pick<Postgres, 'withAccount'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How many indicators the caller's plan may add in a UTC day. */
  readonly dailyLimitOf: (principal: Principal) => number;
  /** Warnings about what blocking or allowing this value may break; `ranges` is the number of ranges in the batch. */
  readonly warn: (item: Item, ranges: number) => readonly Omit<SubmitWarning, 'index'>[];
};

/** Per organization: a blocklist of a million lines is some 20 MB, and a node holds some 200 bytes for each entry. */
export const INDICATORS_MAX = 1_000_000;
/** Text that is not an id is not looked up, because the database refuses U+0000. */
const isIndicatorId = (id: string): boolean => /^ind_[0-9A-Z]+$/.test(id);

export async function submitIndicators(
  deps: OrgIndicatorsDeps,
  principal: Principal,
  items: readonly Item[],
  address: string | null = null,
): Promise<SubmitReply> {
  const { accountId, userId } = principal;
  const nowMs = deps.clock.now();
  refusePastEnds(items, nowMs);
  const ranges = items.filter(({ indicator }) => indicator.kind === 'cidr').length;
  const warnedOf = new Map(items.map((item) => [item, deps.warn(item, Math.max(1, ranges))]));
  const warnings = items.flatMap((item, index) =>
    (warnedOf.get(item) ?? []).map((warning) => ({ index, ...warning })),
  );
  const isWarned = (item: Item): boolean => (warnedOf.get(item) ?? []).length > 0;
  const { plan, own } = await deps.postgres.withAccount(accountId, async (tx) => {
    const state = await lockState(tx, accountId, dayOf(nowMs));
    const stored = await findByValues(
      tx,
      accountId,
      items.map(({ entityType }) => entityType),
      items.map(({ indicator }) => indicator.value),
    );
    const planned = planBatch(items, stored, () => newId('ind', nowMs), isWarned);
    refuseOverLimits(state, planned, deps.dailyLimitOf(principal), nowMs);
    // Before the write, whose last step takes the lock of the change log.
    const own = await warningsOfOwnSpace(tx, { accountId, address }, items, nowMs);
    if (planned.changed > 0) await writePlan(tx, accountId, userId, planned, nowMs);
    else if (planned.charged > 0) await countCharged(tx, accountId, planned.charged);
    refuseLate(deps.clock.now(), nowMs);
    return { plan: planned, own };
  });
  return {
    message: messageOf(plan, items.length),
    inserted: plan.inserted,
    indicators: items.map(({ entityType, indicator }, index) => ({
      id: plan.ids[index] ?? '',
      entityType,
      value: indicator.value,
    })),
    warnings: [...warnings, ...own].sort((a, b) => a.index - b.index),
  };
}

/** A TAXII poll could miss objects that are committed after the dates they carry, so a slow write fails. */
function refuseLate(nowMs: number, startedMs: number): void {
  if (nowMs - startedMs >= DATES_AHEAD_MS)
    throw unavailable('This took too long and was not stored. Try again.', 1);
}

const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

function messageOf({ inserted, changed, values }: BatchPlan, items: number): string {
  const parts = [`${inserted} added or restored`];
  if (changed > inserted) parts.push(`${changed - inserted} updated`);
  if (values.length > changed) parts.push(`${values.length - changed} unchanged`);
  if (items > values.length) parts.push(`${items - values.length} sent twice`);
  return `${parts.join(', ')}.`;
}

function refusePastEnds(items: readonly Item[], nowMs: number): void {
  const details = items.flatMap(({ endsAtMs }, index) =>
    endsAtMs !== null && endsAtMs <= nowMs
      ? [{ path: `indicators.${index}.endsAt`, message: 'It lies in the past; send a later time, or none.' }]
      : [],
  );
  if (details.length > 0)
    throw badRequest('Nothing was stored: some indicators would have ended already.', details);
}

/** Refuses the whole batch, because a batch is stored as a whole or not at all (decisions 3.18, trap 26). */
function refuseOverLimits(state: State, plan: BatchPlan, limit: number, nowMs: number): void {
  if (state.used + plan.charged > limit) throw dailyCap(state.used, plan.charged, limit, nowMs);
  const added = plan.values.filter(({ change }) => change === 'new').length;
  if (state.kept + added > INDICATORS_MAX)
    throw new ServiceError(
      'Conflict',
      `This organization has ${plural(state.kept, 'indicator')}; the most is ${INDICATORS_MAX}, revoked ones included. Nothing was stored.`,
    );
}

function dailyCap(current: number, charged: number, limit: number, nowMs: number): ServiceError {
  const resetsAtMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  const resetsAt = new Date(resetsAtMs).toISOString();
  return new ServiceError(
    'Rate Limited',
    `This batch needs ${plural(charged, 'indicator')}, and your organization has ${Math.max(0, limit - current)} of ${limit} left today. Nothing was stored. The limit resets ${midnight(resetsAtMs, nowMs)}.`,
    {
      body: { usage: { current, limit }, resetsAt },
      headers: { 'Retry-After': String(Math.ceil((resetsAtMs - nowMs) / 1_000)) },
    },
  );
}

/** Writes the batch: values, their periods, the count of the day, events and change log commit together. */
async function writePlan(
  tx: Db,
  accountId: string,
  userId: string,
  { values, charged }: BatchPlan,
  nowMs: number,
): Promise<void> {
  const keys = createKeyWriter();
  const written = values
    .filter(({ change }) => change !== 'unchanged')
    .map((planned) => rowOf(planned, entryKeyOf(accountId, keys.of(planned.item.indicator))));
  await upsertIndicators(tx, accountId, written, userId, nowMs);
  const renewed = values.filter(({ change }) => change !== 'unchanged' && change !== 'noted');
  const ids = renewed.map(({ id }) => id);
  await endPeriods(tx, ids, nowMs);
  await startPeriods(tx, ids, nowMs);
  const objects = await renewObjects(tx, accountId, ids, nowMs);
  const kept = values.filter(({ change }) => change === 'new').length;
  const bits = (version: 4 | 6) =>
    values.flatMap(({ item: { indicator } }) =>
      indicator.kind === 'cidr' && indicator.version === version ? [indicator.bits] : [],
    );
  const revision = await updateState(tx, accountId, { kept, used: charged }, bits(4), bits(6));
  await insertRevision(tx, accountId, revision, nowMs);
  await emitAll(tx, eventsOf(accountId, values, objects, nowMs));
  const changed = new Set(ids);
  await logChanges(
    tx,
    accountId,
    written.filter(({ id }) => changed.has(id)).map(({ entryKey }) => entryKey),
  );
}

const rowOf = ({ id, item }: Planned, entryKey: Buffer): WrittenIndicator => ({
  id,
  entityType: item.entityType,
  value: item.indicator.value,
  entryKey,
  disposition: item.disposition,
  category: item.category,
  comment: item.comment,
  reason: item.reason,
  endsAtMs: item.endsAtMs,
});

function eventsOf(
  accountId: string,
  values: readonly Planned[],
  objects: ReadonlyMap<string, number>,
  nowMs: number,
): readonly NewEvent[] {
  return values.flatMap(({ id, item, change }) => {
    if (change !== 'new' && change !== 'restored') return [];
    const { entityType, indicator, disposition, category } = item;
    const type = change === 'new' ? IndicatorAdded : IndicatorRestored;
    const objectNumber = objects.get(id) ?? null;
    const payload = { id, entityType, value: indicator.value, disposition, category, objectNumber };
    return [{ type, accountId, payload, occurredAt: new Date(nowMs) }];
  });
}

/** The last step of a transaction, because it takes the lock of the change log. */
async function logChanges(tx: Db, accountId: string, entryKeys: readonly Buffer[]): Promise<void> {
  await appendChanges(tx, ORGANIZATIONS, ENTRIES, entryKeys);
  await appendChanges(tx, ORGANIZATIONS, STATES, [Buffer.from(accountId, 'latin1')]);
}

export async function listIndicators(
  { postgres }: OrgIndicatorsDeps,
  { accountId }: Principal,
  query: ListQuery,
): Promise<ListReply> {
  return postgres.withAccount(accountId, async (tx) => ({
    indicators: (await selectIndicators(tx, accountId, query)).map(presentIndicator),
    total: await countIndicators(tx, accountId, query),
    page: query.page,
    limit: query.limit,
  }));
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
const presentIndicator = (row: IndicatorRow): OrgIndicator => ({
  id: row.id,
  entityType: row.entityType,
  value: row.value,
  status: row.status,
  category: row.category,
  comment: row.comment,
  submittedBy: row.submittedBy,
  createdAt: isoOf(row.createdAtMs),
  updatedAt: isoOf(row.updatedAtMs),
  revokedAt: row.revokedAtMs === null ? null : isoOf(row.revokedAtMs),
  disposition: row.disposition,
  reason: row.reason,
  endsAt: row.endsAtMs === null ? null : isoOf(row.endsAtMs),
});

/** A second revocation changes nothing and answers the same (decisions 3.18). */
export async function removeIndicator(
  { postgres, clock }: OrgIndicatorsDeps,
  { accountId }: Principal,
  id: string,
): Promise<{ readonly indicator: { readonly id: string; readonly status: 'revoked' } }> {
  if (!isIndicatorId(id)) throw notFound('Indicator', id);
  const nowMs = clock.now();
  await postgres.withAccount(accountId, async (tx) => {
    await lockState(tx, accountId, dayOf(nowMs));
    const row = await lockIndicator(tx, accountId, id);
    if (row === undefined) throw notFound('Indicator', id);
    if (row.status === 'revoked') return;
    await revokeIndicator(tx, accountId, id, nowMs);
    await endPeriods(tx, [id], nowMs);
    const objects = await renewObjects(tx, accountId, [id], nowMs);
    const revision = await updateState(tx, accountId, { kept: 0, used: 0 }, [], []);
    await insertRevision(tx, accountId, revision, nowMs);
    const { entityType, value, disposition, category } = row;
    const objectNumber = objects.get(id) ?? null;
    const payload = { id, entityType, value, disposition, category, objectNumber };
    await emitAll(tx, [{ type: IndicatorRevoked, accountId, payload, occurredAt: new Date(nowMs) }]);
    await logChanges(tx, accountId, [row.entryKey]);
    refuseLate(clock.now(), nowMs);
  });
  return { indicator: { id, status: 'revoked' } };
}
