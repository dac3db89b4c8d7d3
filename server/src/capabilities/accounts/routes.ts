import type { Route } from '#platform/http/route.ts';
import { keyRoutes } from './key-routes.ts';
import type { AccountsDeps } from './open-accounts.ts';
import { personRoutes } from './person-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { signUpRoutes } from './sign-up-routes.ts';

export const accountsRoutes = (deps: AccountsDeps): readonly Route[] => [
  ...signUpRoutes(deps),
  ...signInRoutes(deps),
  ...keyRoutes(deps),
  ...personRoutes(deps),
];
