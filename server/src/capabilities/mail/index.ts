export type { MailDeps, ScanUsage } from './mail-deps.ts';
export { openMail } from './open-mail.ts';
export { mailRoutes } from './routes.ts';
export type { ScanThreads } from './scan-threads.ts';
