export { type Access, createAccess, pruneAccess } from './access.ts';
export type { Actor } from './audit.ts';
export { ANONYMOUS_PLAN, type Caller, callerOf } from './caller.ts';
export { addressGroup, clientAddress, normalizeCidr } from './client-address.ts';
export { LimitOverrides } from './contract.ts';
export { type AccessReplica, accessDataset } from './key-records.ts';
export {
  createLicence,
  createOrganization,
  createUser,
  ensureMembership,
  findAccount,
  listActiveLicences,
  type PlanChange,
  putMembership,
  removeMembership,
  revokeLicence,
  setPlan,
} from './manage-accounts.ts';
export { createKey, findKey, listKeysOf, type RevealedKey, revokeKey, rotateKey } from './manage-keys.ts';
export { accessRoutes } from './routes.ts';
export { createSessionCookie } from './session-cookie.ts';
export { type SessionRoutesDeps, sessionRoutes } from './session-routes.ts';
export { createSession } from './sessions.ts';
export type { KeyRow, Role } from './store.ts';
