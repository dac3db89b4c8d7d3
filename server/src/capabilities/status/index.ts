export type { StatusDeps } from './report-health.ts';
export { statusRoutes } from './routes.ts';
