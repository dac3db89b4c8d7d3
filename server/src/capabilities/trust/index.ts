export { type TrustDeps, trustRoutes } from './routes.ts';
