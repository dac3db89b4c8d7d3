export { type StatusWorkerDeps, statusWorkerPart } from './canary/jobs.ts';
export type { CanaryDeps } from './canary/run-canary.ts';
export { type EvidenceDay, Notice, type PlatformStatus } from './contract.ts';
export { NOTICE_SEVERITIES, type NoticeSeverity } from './notice-store.ts';
export { createNotice, endNotice, listNotices, type NoticeDeps, noticeOf } from './notices.ts';
export type { StatusDeps } from './report-health.ts';
export type { StatusPageDeps } from './report-status.ts';
export { type StatusRoutesDeps, statusRoutes } from './routes.ts';
export { tellContactAge } from './tell-contact-age.ts';
