import { type ModalPeer, startModalPeer } from './peer-mode.ts';

export type KnownTenant = {
  readonly tenantId: string;
  readonly namespaceType: 'Managed' | 'Federated';
  readonly brandName: string;
};
export type TenantPeer = ModalPeer & {
  readonly tenants: Map<string, KnownTenant>;
  /** `isRealmDown`: the second document, which has brand and kind, fails. */
  readonly state: { isRealmDown: boolean };
};

const CONFIGURATION = /^\/([^/]+)\/v2\.0\/\.well-known\/openid-configuration$/;

/** A server with the two documents that a sign-in page reads about a tenant before the sign-in. */
export async function startTenantPeer(where: { readonly port?: number } = {}): Promise<TenantPeer> {
  const tenants = new Map<string, KnownTenant>();
  const state = { isRealmDown: false };
  const peer = await startModalPeer((request, response) => {
    const url = new URL(request.url ?? '', 'http://peer');
    const send = (status: number, json: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (url.pathname === '/getuserrealm.srf') {
      if (state.isRealmDown) return void send(500, {});
      const login = url.searchParams.get('login') ?? '';
      const name = login.slice(login.indexOf('@') + 1);
      const known = tenants.get(name);
      const { namespaceType = 'Unknown', brandName } = known ?? {};
      return void send(200, {
        State: 4,
        Login: login,
        NameSpaceType: namespaceType,
        DomainName: name,
        ...(known && { FederationBrandName: brandName, CloudInstanceName: 'microsoftonline.com' }),
      });
    }
    const name = decodeURIComponent(CONFIGURATION.exec(url.pathname)?.[1] ?? '');
    const known = tenants.get(name);
    if (known === undefined)
      return void send(400, { error: 'invalid_tenant', error_description: `Tenant '${name}' not found.` });
    send(200, {
      token_endpoint: `https://login.microsoftonline.com/${known.tenantId}/oauth2/v2.0/token`,
      issuer: `https://login.microsoftonline.com/${known.tenantId}/v2.0`,
      tenant_region_scope: 'EU',
      cloud_instance_name: 'microsoftonline.com',
    });
  }, where);
  return Object.assign(peer, { tenants, state });
}
