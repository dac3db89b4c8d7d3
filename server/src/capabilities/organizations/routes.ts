import type { Route } from '#platform/http/route.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import type { OrganizationRoutesDeps } from './policies.ts';

export const organizationsRoutes = (deps: OrganizationRoutesDeps): readonly Route[] => [
  ...organizationRoutes(deps),
  ...memberRoutes(deps),
  ...invitationRoutes(deps),
];
