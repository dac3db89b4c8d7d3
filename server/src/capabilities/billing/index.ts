export { type BillingDeps, billingRoutes } from './routes.ts';
