export { createAllowance } from './apply-allowed.ts';
export { organizationsDataset } from './dataset.ts';
export { orgIndicatorsWorkerPart } from './jobs.ts';
export type { OrgIndicatorsDeps } from './keep-indicators.ts';
export { listAllowed } from './list-blocked.ts';
export type { OwnMatch, OwnWord } from './own-word.ts';
export { type OwnWords, openOwnWords, ownWordAt } from './own-words.ts';
export { orgIndicatorsRoutes } from './routes.ts';
export { warnAbout } from './warn-about.ts';
