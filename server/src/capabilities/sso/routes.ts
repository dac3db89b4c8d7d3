import type { Route } from '#platform/http/route.ts';
import type { SsoRoutesDeps } from './open-sso-routes.ts';
import { ssoSettingsRoutes } from './settings-routes.ts';
import { ssoSignInRoutes } from './sign-in-routes.ts';

export const ssoRoutes = (deps: SsoRoutesDeps): readonly Route[] => [
  ...ssoSignInRoutes(deps),
  ...ssoSettingsRoutes(deps),
];
