export { billingWorkerPart } from './jobs.ts';
export type { BillingProvider } from './provider.ts';
export { type BillingDeps, billingRoutes, openBilling } from './routes.ts';
export { openStripe } from './stripe/open-stripe.ts';
