import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { CLIENT } from './hostile-oidc.ts';
import type { Issued } from './tls-peer.ts';

export type OidcPeer = {
  readonly issuer: string;
  readonly port: number;
  /** Signs a person in at the provider, as a browser would, and returns the address of the callback. */
  readonly visit: (location: string, email: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** A certified OpenID Connect provider on loopback. It knows every person; the e-mail address is the account. */
export async function startOidcPeer(
  issued: Issued,
  {
    host,
    authority,
    redirectUri,
  }: { readonly host: string; readonly authority: string; readonly redirectUri: string },
): Promise<OidcPeer> {
  const server = createServer({ cert: issued.cert, key: issued.key });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const issuer = `https://${host}:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    cookies: { keys: ['a key of the test'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: KoaContextWithOIDC, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true }),
    }),
    interactions: { url: (_context: KoaContextWithOIDC, interaction) => `/interaction/${interaction.uid}` },
    loadExistingGrant: async (context: KoaContextWithOIDC) => {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({
        ...(client !== undefined && { clientId: client.clientId }),
        ...(session?.accountId !== undefined && { accountId: session.accountId }),
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const people = { next: '' };
  const handle = provider.callback();
  server.on('request', (incoming, response) => {
    if (incoming.url?.startsWith('/interaction/') !== true) return void handle(incoming, response);
    void provider.interactionFinished(incoming, response, { login: { accountId: people.next } });
  });
  return {
    issuer,
    port,
    visit: (location, email) => {
      people.next = email;
      return follow(location, { host, port, authority, redirectUri });
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const REDIRECTS_MAX = 10;

/** Follows redirects with a cookie jar until the browser is sent back to the service. */
async function follow(
  start: string,
  where: {
    readonly host: string;
    readonly port: number;
    readonly authority: string;
    readonly redirectUri: string;
  },
): Promise<string> {
  const jar = new Map<string, string>();
  let at = start;
  for (let hop = 0; hop < REDIRECTS_MAX; hop += 1) {
    if (at.startsWith(where.redirectUri)) return at;
    const { pathname, search } = new URL(at);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    request(
      {
        host: '127.0.0.1',
        port: where.port,
        servername: where.host,
        ca: where.authority,
        path: `${pathname}${search}`,
        headers: {
          host: `${where.host}:${where.port}`,
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        },
      },
      (response) => {
        response.resume();
        for (const line of response.headers['set-cookie'] ?? []) {
          const [pair = ''] = line.split(';');
          jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        resolve(response.headers.location ?? '');
      },
    )
      .on('error', reject)
      .end();
    const next = await promise;
    if (next === '') throw new Error(`The provider shows a page at ${at}.`);
    at = new URL(next, at).href;
  }
  throw new Error('The provider never sends the browser back.');
}
