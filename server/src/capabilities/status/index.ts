export type { StatusDeps } from './report-health.ts';
export { statusRoutes } from './routes.ts';
export { tellContactAge } from './tell-contact-age.ts';
