export { hasReport, type ReportsDeps } from './keep-reports.ts';
export { reportsRoutes } from './routes.ts';
