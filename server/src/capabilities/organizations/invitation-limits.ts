import { findSubscription, tooMany } from '#capabilities/access/index.ts';
import { findNthCaused, findNthRefusal } from '#capabilities/letters/index.ts';
import {
  BUDGET_WINDOW_MS,
  type InvitingOrganization,
  invitationBudget,
  isEstablished,
  REFUSALS_MAX,
  REFUSALS_WINDOW_MS,
} from '#domain/organizations/index.ts';
import { forbidden } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import type { OrganizationRow } from './store.ts';

const KIND = 'invitation';
const TOPIC = 'invitations';

/** What the budget of invitations depends on. */
export async function readInviting(
  tx: Db,
  { id, createdAt }: Pick<OrganizationRow, 'id' | 'createdAt'>,
): Promise<InvitingOrganization> {
  const subscription = await findSubscription(tx, id);
  return {
    plan: subscription?.plan ?? 'FREE',
    status: subscription?.status ?? 'active',
    createdAtMs: createdAt.getTime(),
  };
}

/** What emails say of an organization: its name, and whether their subjects may have it. */
export const namedIn = async (
  tx: Db,
  organization: Pick<OrganizationRow, 'id' | 'name' | 'createdAt'>,
  nowMs: number,
) => ({
  organization: organization.name,
  isEstablished: isEstablished(await readInviting(tx, organization), nowMs),
});

/**
 * Throws where a person may send no more invitations: their budget of the day or that of the service is used up, or several of the
 * people whom they invited asked for no more email. Exact for callers that hold `lockInvitations`.
 */
export async function demandBudget(
  tx: Db,
  inviting: InvitingOrganization,
  { userId, nowMs, perDay }: { readonly userId: string; readonly nowMs: number; readonly perDay: number },
): Promise<void> {
  const refusedMs = await findNthRefusal(
    tx,
    { topic: TOPIC, senderId: userId, afterMs: nowMs - REFUSALS_WINDOW_MS },
    REFUSALS_MAX,
  );
  if (refusedMs !== null) throw refusedOften(refusedMs + REFUSALS_WINDOW_MS);
  const { ofPerson, ofService } = invitationBudget(inviting, nowMs, perDay);
  const sent = { kind: KIND, afterMs: nowMs - BUDGET_WINDOW_MS };
  const own = await findNthCaused(tx, { ...sent, senderId: userId }, ofPerson);
  if (own !== null)
    throw spent(own, ofPerson, nowMs, `You have sent ${ofPerson} invitations in the last 24 hours`);
  const all = await findNthCaused(tx, { ...sent, senderId: null }, ofService);
  if (all !== null)
    throw spent(all, ofService, nowMs, 'This service has sent as many invitations as it sends in a day');
}

/** The budget is free again when the email that used its first unit is a day old. */
function spent(atMs: number, limit: number, nowMs: number, reason: string) {
  const resetMs = atMs + BUDGET_WINDOW_MS;
  return tooMany({ limit, resetMs, retryAfterMs: resetMs - nowMs }, reason);
}

const refusedOften = (untilMs: number) =>
  forbidden(
    `${REFUSALS_MAX} people whom you invited asked for no more emails, so you cannot invite people by email until ${new Date(untilMs).toISOString().slice(0, 10)}. The operator of this service can make an invitation link (admin org invite).`,
  );
