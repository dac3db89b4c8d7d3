import { z } from 'zod';
import { actingOf, demandProof, OF_MANAGER, ORGANIZATION_GONE } from '#capabilities/organizations/index.ts';
import { proofRecord } from '#domain/sso/index.ts';
import type { Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { SsoBody, SsoSettings } from './contract.ts';
import { callbackUrlOf, type SsoRoutesDeps } from './open-sso-routes.ts';
import type { ConnectionRow } from './store.ts';

const PATH = '/organization/sso';
const TAGS: readonly string[] = ['Single sign-on'];
const POLICY: Policy = {
  ...OF_MANAGER,
  plan: 'ENTERPRISE',
  called: 'Single sign-on',
  extension: false,
};
/** Long, because a change waits for the provider's discovery document and for DNS. */
const CHANGE_DEADLINE_MS = 20_000;
const PROOF = 'Needs a proof of the last ten minutes (POST /api/auth/confirm).';

export const ssoSettingsRoutes = (deps: SsoRoutesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: PATH,
    summary: 'The single sign-on settings of your organization.',
    description: 'The client secret is never shown.',
    tags: TAGS,
    policy: POLICY,
    reply: SsoSettings,
    handle: async ({ principal }) => present(deps, await deps.sso.read(principal.accountId)),
  }),
  route({
    method: 'PUT',
    path: PATH,
    summary: 'Set up single sign-on with an OpenID Connect provider.',
    description: `${PROOF} 400 where the discovery document of the issuer cannot be read. 409 where another organization has proven the domain, where it is to be enabled before the domain is proven, and where it is to be enforced before one sign-in or without an owner who could sign in by themselves.`,
    tags: TAGS,
    policy: { ...POLICY, bodyMax: 8_192, deadlineMs: CHANGE_DEADLINE_MS },
    body: SsoBody,
    otherStatuses: {
      ...ORGANIZATION_GONE,
      409: 'The domain is not proven, another organization has it, or the settings cannot be enforced yet.',
    },
    reply: SsoSettings,
    handle: async (call) => {
      demandProof(deps.clock, call.principal);
      const { emailDomain, ...wanted } = call.body;
      const by = actingOf(call);
      return present(
        deps,
        await deps.sso.put(by, { ...wanted, emailDomain: emailDomain.trim().toLowerCase() }),
      );
    },
  }),
  route({
    method: 'DELETE',
    path: PATH,
    summary: 'Remove single sign-on.',
    description: `${PROOF} Sessions that the provider opened end. Members stay; those who joined through it need an invitation to come back. Also 204 where there is none.`,
    tags: TAGS,
    policy: POLICY,
    otherStatuses: ORGANIZATION_GONE,
    reply: z.undefined(),
    status: 204,
    handle: async (call) => {
      demandProof(deps.clock, call.principal);
      await deps.sso.remove(actingOf(call));
      return undefined;
    },
  }),
];

function present({ webUrl }: SsoRoutesDeps, row: ConnectionRow | undefined): SsoSettings {
  if (row === undefined) return { connection: null };
  return {
    connection: {
      emailDomain: row.emailDomain,
      issuerUrl: row.issuerUrl,
      clientId: row.clientId,
      hasClientSecret: row.sealedSecret !== null,
      enforceSso: row.enforceSso,
      enabled: row.enabled,
      callbackUrl: callbackUrlOf(webUrl),
      domainProof: {
        ...proofRecord(row.emailDomain, row.proofToken),
        provenAt: row.provenAt?.toISOString() ?? null,
      },
      lastSignInAt: row.succeededAt?.toISOString() ?? null,
    },
  };
}
