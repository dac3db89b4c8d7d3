export { type FactorName, FactorNeeded, SHOWN_FACTOR } from './contract.ts';
export { type Factors, openFactors, resetFactors } from './factors.ts';
export { factorsWorkerPart } from './jobs.ts';
export { type FactorRoutesDeps, openFactorRoutes } from './open-factor-routes.ts';
export { factorsRoutes } from './routes.ts';
export { deleteTokensOf as endTickets } from './store.ts';
export { codesOfPerson, type FactorThrottle } from './throttle.ts';
