export { type Access, createAccess, pruneAccess } from './access.ts';
export {
  type AccountCounts,
  type AccountPage,
  type AuditedAct,
  countAccounts,
  type ListedOrganization,
  type ListedUser,
  listAudit,
  listOrganizations,
  listUsers,
} from './account-list-store.ts';
export { type Actor, actorOf, recordAudit } from './audit.ts';
export type { CredentialGuard } from './auth-failures.ts';
export { ANONYMOUS_PLAN, type Caller, callerOf, hasSecondFactor, SESSION_METHODS } from './caller.ts';
export {
  addressGroup,
  addressNetwork,
  clientAddress,
  createAllowList,
  normalizeCidr,
} from './client-address.ts';
export { LimitOverrides, SignedIn } from './contract.ts';
export type { KnownDevice } from './device-cookie.ts';
export { endAccountSessions, endMemberAccess, logAccount, logKeys } from './end-access.ts';
export { PlanChanged } from './events.ts';
export { isOperatorToken, newOperatorToken, operatorTokenHash } from './key-format.ts';
export { type AccessReplica, accessDataset } from './key-records.ts';
export {
  changePlan,
  createLicence,
  createUser,
  ensureMembership,
  ensureOrganization,
  findAccount,
  listActiveLicences,
  type PlanChange,
  putMembership,
  removeMembership,
  revokeLicence,
  setDemandsFactor,
  setPlan,
} from './manage-accounts.ts';
export { createKey, findKey, listKeysOf, type RevealedKey, revokeKey, rotateKey } from './manage-keys.ts';
export {
  confirmSession,
  type Exchanged,
  type OpenSessionDeps,
  type OwnSignIn,
  openSession,
  refuseElsewhere,
  refuseForged,
  signOut,
} from './open-session.ts';
export { endPersonSessions, type PersonSessions } from './person-sessions.ts';
export { demandRecentProof, RECENT_PROOF_MS } from './recent-proof.ts';
export { accessRoutes } from './routes.ts';
export { createSessionCookie } from './session-cookie.ts';
export { type SessionRoutesDeps, sessionRoutes } from './session-routes.ts';
export { createSession } from './sessions.ts';
export { accountExists, findSubscription, type KeyRow, lockSubscription, type Role } from './store.ts';
export { tooMany } from './too-many.ts';
