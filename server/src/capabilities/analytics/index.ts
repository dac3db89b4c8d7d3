export { analyticsWorkerPart } from './jobs.ts';
export {
  type Counted,
  type RefreshReport,
  readTotalThreats,
  refreshStatistics,
  type StatisticsDeps,
} from './refresh-statistics.ts';
export { type AnalyticsDeps, analyticsRoutes } from './routes.ts';
