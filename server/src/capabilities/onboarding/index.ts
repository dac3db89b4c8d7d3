export type { OnboardingDeps } from './follow-steps.ts';
export { onboardingRoutes } from './routes.ts';
