export { openMail } from './open-mail.ts';
export { type MailDeps, mailRoutes, type ScanUsage } from './routes.ts';
export type { ScanThreads } from './scan-threads.ts';
