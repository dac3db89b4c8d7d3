export { classFactsOf } from './class-facts.ts';
export {
  type CaseReader,
  type ClassedKey,
  type Classifier,
  createCaseReader,
  createClassifier,
  type StandingSources,
} from './class-of-key.ts';
export { countExcluded } from './count-excluded.ts';
export { differsFrom, type FactRules, factRulesOf } from './fact-rules.ts';
export { followStandings, type StandingDeps } from './follow-standings.ts';
export { holdScoring } from './hold-scoring.ts';
export { type StandingWorkerDeps, standingWorkerPart } from './jobs.ts';
export { exportedInputOf, listedOf, openInputOf } from './judge-class.ts';
export { type KeepReport, keepStandings, type WalkReport, walkStandings } from './keep-standings.ts';
export { type ListMember, membersOf } from './list-members.ts';
export { type Audience, classesOfList, countWithheld, membersAfter, withheldKeys } from './members-store.ts';
export {
  type ClassScore,
  classScores,
  countByLevel,
  listVersions,
  readStatus,
  type StandingStatus,
  type StoodAs,
  standingStamp,
} from './store.ts';
export type { CaseNow, Move, News, NewsTeller } from './tell-moves.ts';
export { type Verification, verifyStandings } from './verify-standings.ts';
