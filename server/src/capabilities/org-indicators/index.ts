export { applyAllowed } from './apply-allowed.ts';
export { organizationsDataset } from './dataset.ts';
export type { OrgIndicatorsDeps } from './keep-indicators.ts';
export { orgIndicatorsRoutes } from './routes.ts';
export { warnAbout } from './warn-about.ts';
