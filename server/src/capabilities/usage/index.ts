export type { MeterMonth, UsageDeps } from './analyze-usage.ts';
export { MeterUse } from './contract.ts';
export { usageWorkerPart } from './jobs.ts';
export { RequestCounts } from './request-counts.ts';
export { usageRoutes } from './routes.ts';
