export type { OrganizationsDeps } from './acting.ts';
export { deleteOrganization, restoreOrganization } from './delete-organization.ts';
export { deletePerson, restorePerson } from './delete-person.ts';
export { inviteMember } from './invite-member.ts';
export { organizationsWorkerPart } from './jobs.ts';
export { type Organizations, openOrganizations } from './organizations.ts';
export type { OrganizationRoutesDeps } from './policies.ts';
export { organizationsRoutes } from './routes.ts';
