import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of the consent of receivers. One statement per function. */

export async function hasVerifiedHost(tx: Db, accountId: string, host: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from webhook_endpoint
     where account_id = ${accountId} and host = ${host} and verified_at is not null limit 1`.execute(tx);
  return rows.length > 0;
}

/** Also closes the lane: nothing is sent to the host until it has answered. */
export async function putChallenge(tx: Db, id: string, challenge: string, untilMs: number): Promise<void> {
  await sql`
    update webhook_endpoint set challenge = ${challenge}, challenge_until = ${timestampOf(untilMs)}, verified_at = null,
           lane_at = null, claimed_by = null where id = ${id}`.execute(tx);
}

export async function findChallenge(tx: Db, id: string, nowMs: number): Promise<string | undefined> {
  const { rows } = await sql<{ challenge: string }>`
    select challenge from webhook_endpoint
     where id = ${id} and challenge is not null and challenge_until > ${timestampOf(nowMs)}`.execute(tx);
  return rows[0]?.challenge;
}

/** Nothing where the challenge is no longer the newest one. */
export async function setVerified(
  tx: Db,
  { id, challenge }: { readonly id: string; readonly challenge: string },
  nowMs: number,
): Promise<void> {
  const at = timestampOf(nowMs);
  await sql`
    update webhook_endpoint set verified_at = ${at}, challenge = null, challenge_until = null, updated_at = ${at}
     where id = ${id} and challenge = ${challenge} and challenge_until > ${at}`.execute(tx);
}

/** Deletes deliveries of earlier challenges that still wait. */
export async function deleteVerifications(tx: Db, endpointId: string): Promise<void> {
  await sql`
    delete from webhook_delivery
     where endpoint_id = ${endpointId} and event = 'webhook.verification' and status in ('once', 'parked')`.execute(
    tx,
  );
}
