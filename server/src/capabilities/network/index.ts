export { createCountListed } from './count-listed.ts';
export type { NetworkDeps } from './look-up-asn.ts';
export { networkRoutes } from './routes.ts';
