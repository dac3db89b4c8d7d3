export { type CheckDeps, checkIndicator } from './check-indicator.ts';
export { CheckResult } from './contract.ts';
export { createMissCache } from './miss-cache.ts';
export { checkRoutes } from './routes.ts';
