export { addEvidence } from './add-evidence.ts';
export type { CaseLinks, CasesDeps } from './cases-deps.ts';
export { casesWorkerPart } from './jobs.ts';
export { changeCase, createCase } from './keep-cases.ts';
export {
  countOpenCases,
  countOverdueCases,
  measureResolutions,
  type ResolutionHours,
  selectForemostCases,
} from './overview-store.ts';
export { type EvidenceRoot, readEvidenceRoots } from './read-roots.ts';
export { casesRoutes } from './routes.ts';
export { type Broken, type Verification, verifyAll } from './verify-all.ts';
