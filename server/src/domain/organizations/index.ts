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
