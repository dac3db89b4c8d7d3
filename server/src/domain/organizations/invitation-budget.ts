import type { Plan, SubscriptionStatus } from '../plans/plans.ts';

const DAY_MS = 86_400_000;
const FIRST_MONTH_MS = 30 * DAY_MS;
/** Invitations of one person in 24 hours, in all organizations together; the organization that invites decides which limit holds. */
const PER_DAY = { unpaid: 10, firstMonth: 50, later: 500 } as const;

export const BUDGET_WINDOW_MS = DAY_MS;
/** So many invited people who ask for no more email stop the invitations of a person for the time below. */
export const REFUSALS_MAX = 3;
export const REFUSALS_WINDOW_MS = 30 * DAY_MS;

export type InvitingOrganization = {
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
  readonly createdAtMs: number;
};

const isPaid = ({ plan, status }: InvitingOrganization): boolean =>
  plan !== 'FREE' && (status === 'active' || status === 'past_due');

const isOlder = ({ createdAtMs }: InvitingOrganization, nowMs: number): boolean =>
  nowMs - createdAtMs >= FIRST_MONTH_MS;

/** Whether subjects of emails may name the organization: it is paid and at least 30 days old. */
export const isEstablished = (organization: InvitingOrganization, nowMs: number): boolean =>
  isPaid(organization) && isOlder(organization, nowMs);

export type InvitationBudget = {
  /** Invitations of the person in 24 hours. */
  readonly ofPerson: number;
  /** Invitations of the whole service in 24 hours, beyond which this organization sends none. */
  readonly ofService: number;
};

/** Unpaid organizations share half of what the service sends in a day, so that they cannot use up the other half. */
export function invitationBudget(
  organization: InvitingOrganization,
  nowMs: number,
  ofService: number,
): InvitationBudget {
  if (!isPaid(organization)) return { ofPerson: PER_DAY.unpaid, ofService: Math.ceil(ofService / 2) };
  return { ofPerson: isOlder(organization, nowMs) ? PER_DAY.later : PER_DAY.firstMonth, ofService };
}
