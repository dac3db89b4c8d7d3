import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

export type FormEntry = {
  readonly id: string;
  readonly form: string;
  readonly fields: Readonly<Record<string, string | number | undefined>>;
  readonly createdAtMs: number;
};

export async function insertEntry(
  tx: Db,
  entry: FormEntry & { readonly addressDigest: Uint8Array | null },
): Promise<void> {
  await sql`
    insert into form_entry (id, form, address_digest, fields, created_at)
    values (${entry.id}, ${entry.form}, ${entry.addressDigest}, ${JSON.stringify(entry.fields)}::jsonb,
            ${timestampOf(entry.createdAtMs)})`.execute(tx);
}

export async function selectEntries(
  db: Db,
  {
    form,
    id,
    rowsMax,
  }: { readonly form: string | null; readonly id: string | null; readonly rowsMax: number },
): Promise<readonly FormEntry[]> {
  const { rows } = await sql<FormEntry>`
    select id, form, fields, ${msOf('created_at')} as "createdAtMs" from form_entry
     where (${form}::text is null or form = ${form}) and (${id}::text is null or id = ${id})
     order by created_at desc, id desc limit ${rowsMax}`.execute(db);
  return rows;
}

export async function deleteEntriesBefore(tx: Db, beforeMs: number, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from form_entry where id in (
      select id from form_entry where created_at < ${timestampOf(beforeMs)} limit ${rowsMax})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function deleteEntriesOf(tx: Db, addressDigest: Uint8Array): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from form_entry where address_digest = ${addressDigest}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export type SubscriptionRequest = {
  readonly id: string;
  readonly addressDigest: Uint8Array;
  readonly sealedAddress: Uint8Array;
  readonly nowMs: number;
  /** A request younger than this is not repeated. */
  readonly repeatAfterMs: number;
};

/** True when a letter should go out: the address is new, or did not confirm and last asked long enough ago. */
export async function requestSubscription(tx: Db, request: SubscriptionRequest): Promise<boolean> {
  const { id, addressDigest, sealedAddress, nowMs, repeatAfterMs } = request;
  const { numAffectedRows } = await sql`
    insert into newsletter_subscriber as known (id, address_digest, sealed_address, requested_at)
    values (${id}, ${addressDigest}, ${sealedAddress}, ${timestampOf(nowMs)})
    on conflict (address_digest) do update
      set id = excluded.id, sealed_address = excluded.sealed_address, requested_at = excluded.requested_at
      where known.confirmed_at is null and known.requested_at < ${timestampOf(nowMs - repeatAfterMs)}`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

export type Subscriber = {
  readonly id: string;
  readonly sealedAddress: Buffer;
  /** Null until the person has confirmed. */
  readonly confirmedAtMs: number | null;
};

/** Locks the row, so that one of two simultaneous confirmations is the first. */
export async function lockSubscriber(
  tx: Db,
  id: string,
  requestedAfterMs: number,
): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`
    select id, sealed_address as "sealedAddress", ${msOf('confirmed_at')} as "confirmedAtMs"
      from newsletter_subscriber
     where id = ${id} and (confirmed_at is not null or requested_at > ${timestampOf(requestedAfterMs)})
       for update`.execute(tx);
  return rows[0];
}

export async function confirmSubscriber(tx: Db, id: string, nowMs: number): Promise<void> {
  await sql`update newsletter_subscriber set confirmed_at = ${timestampOf(nowMs)} where id = ${id}`.execute(
    tx,
  );
}

export async function deleteSubscriber(tx: Db, addressDigest: Uint8Array): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from newsletter_subscriber where address_digest = ${addressDigest}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function deleteUnconfirmed(tx: Db, beforeMs: number, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from newsletter_subscriber where id in (
      select id from newsletter_subscriber
       where confirmed_at is null and requested_at < ${timestampOf(beforeMs)} limit ${rowsMax})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Confirmed subscribers, oldest first, a page at a time. */
export async function selectSubscribers(
  db: Db,
  { afterId, rowsMax }: { readonly afterId: string; readonly rowsMax: number },
): Promise<readonly { readonly id: string; readonly sealedAddress: Buffer }[]> {
  const { rows } = await sql<{ id: string; sealedAddress: Buffer }>`
    select id, sealed_address as "sealedAddress" from newsletter_subscriber
     where confirmed_at is not null and id > ${afterId} order by id limit ${rowsMax}`.execute(db);
  return rows;
}
