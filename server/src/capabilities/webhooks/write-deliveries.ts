import { EVERY_EVENT } from '#domain/webhooks/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { ReaderSpec, StreamEvent } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { insertDeliveries, type NewDelivery } from './delivery-store.ts';
import { advanceLanes, type ListeningEndpoint, lockListening } from './lane-store.ts';
import { READ_TYPES, subjectOf, type Told, tell } from './route-events.ts';
import type { WatchersOf } from './webhooks-deps.ts';

export type WriteDeps = { readonly clock: Clock; readonly watchersOf: WatchersOf };

/** The reader that turns events into deliveries, in the transaction of its cursor. */
export const webhooksReader = (deps: WriteDeps): ReaderSpec => ({
  name: 'webhooks',
  types: READ_TYPES,
  handle: (tx, events) => writeDeliveries(deps, tx, events),
});

export async function writeDeliveries(
  { clock, watchersOf }: WriteDeps,
  tx: Db,
  events: readonly StreamEvent[],
): Promise<void> {
  const told = await addressEvents(watchersOf, tx, events);
  if (told.length === 0) return;
  const endpoints = await lockListening(tx, [...new Set(told.map(({ accountId }) => accountId))]);
  const nowMs = clock.now();
  const byAccount = Map.groupBy(endpoints, ({ accountId }) => accountId);
  const lanes = new Map<string, number>();
  const rows: NewDelivery[] = [];
  for (const { accountId, event } of told)
    for (const endpoint of byAccount.get(accountId) ?? []) {
      if (!listensTo(endpoint, event)) continue;
      const sequence = lanes.get(endpoint.id) ?? Number(endpoint.nextSequence);
      lanes.set(endpoint.id, sequence + 1);
      rows.push(deliveryOf(endpoint, event, sequence, nowMs));
    }
  if (rows.length === 0) return;
  await insertDeliveries(tx, rows, nowMs);
  await advanceLanes(
    tx,
    [...lanes].map(([id, nextSequence]) => ({ id, nextSequence })),
    nowMs,
  );
}

type Addressed = { readonly accountId: string; readonly event: Told };

/** An event of one account goes to that account, an event for all to the accounts that watch its subject. */
async function addressEvents(
  watchersOf: WatchersOf,
  tx: Db,
  events: readonly StreamEvent[],
): Promise<readonly Addressed[]> {
  const shared = events.flatMap((event) => {
    const subject = event.accountId === null ? subjectOf(event) : null;
    return subject === null ? [] : [{ event, subject }];
  });
  const watchers =
    shared.length === 0
      ? []
      : await watchersOf(
          tx,
          shared.map(({ subject }) => subject),
        );
  const accountsOf = new Map(shared.map(({ event }, at) => [event.id, watchers[at] ?? []]));
  return events.flatMap((each) => {
    const event = tell(each);
    if (event === null) return [];
    const accountIds = each.accountId === null ? (accountsOf.get(each.id) ?? []) : [each.accountId];
    return accountIds.map((accountId) => ({ accountId, event }));
  });
}

const listensTo = ({ events }: ListeningEndpoint, { name }: Told): boolean =>
  events.includes(name) || events.includes(EVERY_EVENT);

const deliveryOf = (
  { id: endpointId, accountId, enabled, verified }: ListeningEndpoint,
  event: Told,
  sequence: number,
  nowMs: number,
): NewDelivery => ({
  id: newId('dlv', nowMs),
  accountId,
  endpointId,
  event: event.name,
  sequence,
  body: bodyOf(event, sequence),
  status: enabled && verified ? 'pending' : 'skipped',
});

type Written = Omit<Told, 'name'> & { readonly name: string };

export const bodyOf = ({ name, occurredAt, data }: Written, sequence: number | null): string =>
  JSON.stringify({ type: name, timestamp: occurredAt, ...(sequence !== null && { sequence }), data });
