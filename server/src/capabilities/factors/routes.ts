import type { Route } from '#platform/http/route.ts';
import { factorRoutes } from './factor-routes.ts';
import type { FactorRoutesDeps } from './open-factor-routes.ts';
import { factorSignInRoutes } from './sign-in-routes.ts';

export const factorsRoutes = (deps: FactorRoutesDeps): readonly Route[] => [
  ...factorSignInRoutes(deps),
  ...factorRoutes(deps),
];
