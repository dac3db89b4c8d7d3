export { followStandings, type StandingDeps } from './follow-standings.ts';
export { type StandingWorkerDeps, standingWorkerPart } from './jobs.ts';
export { type KeepReport, keepStandings, type WalkReport, walkStandings } from './keep-standings.ts';
export { type ListMember, membersOf } from './list-members.ts';
export { type Audience, countWithheld, withheldKeys } from './members-store.ts';
export { countByLevel, listVersions, readStatus, type StandingStatus } from './store.ts';
export { type Verification, verifyStandings } from './verify-standings.ts';
