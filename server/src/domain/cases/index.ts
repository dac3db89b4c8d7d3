export { canonicalText, isDeeperThan } from './canonical-text.ts';
export {
  type ChainHead,
  type ChainVerdict,
  evidenceText,
  firstHash,
  judgeChain,
  nextHash,
  type SealedHead,
  type StoredEvidence,
  storedText,
} from './evidence-chain.ts';
export { merklePaths, merkleRoot, type PathStep, rootAlong } from './merkle.ts';
export {
  type CaseHead,
  firstSealHash,
  headsRootOf,
  headText,
  type Seal,
  sealHash,
  sealText,
} from './seal.ts';
export {
  CASE_PRIORITIES,
  CASE_STATUSES,
  type CasePriority,
  type CaseStatus,
  isOpen,
  mayMove,
} from './status.ts';
