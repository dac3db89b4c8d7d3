export { Email, mailboxOf, Token } from './contract.ts';
export { invitePerson } from './invite-person.ts';
export { accountsWorkerPart } from './jobs.ts';
export { type AccountsDeps, openAccounts } from './open-accounts.ts';
export { openPeople, type People } from './people.ts';
export { accountsRoutes } from './routes.ts';
export { linkTo, newToken, tokenHash } from './tokens.ts';
export { type UsedLimit, unlockPerson } from './unlock-person.ts';
