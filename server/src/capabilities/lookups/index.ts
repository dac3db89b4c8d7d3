export type { LookupsDeps } from './look-up.ts';
export { lookupsRoutes } from './routes.ts';
