export {
  type Assessment,
  asnListings,
  assess,
  gatherCase,
  listedAsn,
  type Moment,
  snapshotIdOf,
  unwrapped,
} from './assess.ts';
export {
  type Assessor,
  type AssessorDeps,
  assessorFor,
  createAssessor,
  createMoments,
} from './assess-now.ts';
export { closestListings } from './closest-listings.ts';
export { createMissCache, type MissCache } from './miss-cache.ts';
export { SCANNER, type ScannerWord, scannerWordOf } from './scanner-word.ts';
export { createVerdictMemo, type JudgeInput, type VerdictMemo } from './verdict-memo.ts';
