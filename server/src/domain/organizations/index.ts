export {
  BUDGET_WINDOW_MS,
  type InvitingOrganization,
  invitationBudget,
  isEstablished,
  REFUSALS_MAX,
  REFUSALS_WINDOW_MS,
} from './invitation-budget.ts';
export { holdsAddress, NAME_HOLDS_ADDRESS } from './name-rule.ts';
export {
  isLastOwner,
  isManager,
  MANAGERS,
  MEMBER_ORIGINS,
  MEMBER_ROLES,
  type MemberOrigin,
  type MemberRole,
  refusalOf,
} from './roles.ts';
