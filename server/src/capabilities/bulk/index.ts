export { type BulkDeps, bulkRoutes } from './routes.ts';
