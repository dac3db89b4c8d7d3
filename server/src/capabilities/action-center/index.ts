export { actionCenterWorkerPart } from './jobs.ts';
export type { Parts } from './parts.ts';
export type { ActionCenterDeps } from './read-overview.ts';
export { actionCenterRoutes } from './routes.ts';
export { type BriefDeps, writeBriefs } from './write-briefs.ts';
