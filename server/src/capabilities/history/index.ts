export { type HistoryDeps, historyRoutes } from './routes.ts';
