import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Claims } from '#domain/sso/index.ts';

/** What is needed to talk to the provider of one organization. */
export type ProviderSettings = {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
};

/** The secrets of one sign-in, which only the browser that started it brings back. */
export type Challenge = { readonly state: string; readonly nonce: string; readonly verifier: string };

export type Provider = {
  /** Reads the discovery document; throws if it is missing, of another issuer, or lacks a required endpoint. */
  readonly confirm: (settings: ProviderSettings) => Promise<void>;
  readonly begin: (
    settings: ProviderSettings,
    options: { readonly isFresh: boolean },
  ) => Promise<{ readonly url: string; readonly challenge: Challenge }>;
  /** Exchanges the code and returns the provider's claims about the person; throws if any check fails. */
  readonly finish: (
    settings: ProviderSettings,
    answer: { readonly query: string; readonly challenge: Challenge; readonly isFresh: boolean },
  ) => Promise<{ readonly issuer: string; readonly claims: Claims }>;
};

const SCOPE = 'openid email';
const SKEW_S = 60;
/** Asymmetric algorithms, with which the provider alone can sign; neither `none` nor an HMAC. */
const ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** `redirectUri` comes from the configuration alone, so the Host of a request cannot lead a code elsewhere. */
export function createProvider({
  fetch,
  redirectUri,
}: {
  readonly fetch: CustomFetch;
  readonly redirectUri: string;
}): Provider {
  const open = (settings: ProviderSettings) => discover(fetch, settings);
  return {
    confirm: async (settings) => {
      await open(settings);
    },
    begin: async (settings, { isFresh }) => {
      const challenge = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(await open(settings), {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: challenge.state,
        nonce: challenge.nonce,
        code_challenge: await calculatePKCECodeChallenge(challenge.verifier),
        code_challenge_method: 'S256',
        ...(isFresh && { prompt: 'login', max_age: '0' }),
      });
      return { url: url.href, challenge };
    },
    finish: async (settings, { query, challenge, isFresh }) => {
      const config = await open(settings);
      const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        expectedState: challenge.state,
        expectedNonce: challenge.nonce,
        pkceCodeVerifier: challenge.verifier,
        idTokenExpected: true,
        ...(isFresh && { maxAge: 0 }),
      });
      refuseWeakSignature(tokens.id_token);
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('There is no ID token.');
      const { issuer, userinfo_endpoint: userInfo } = config.serverMetadata();
      if (claims.email !== undefined || userInfo === undefined) return { issuer, claims };
      // Some providers keep the address out of the ID token; the subject of both must be the same.
      const told = await fetchUserInfo(config, tokens.access_token, claims.sub);
      return { issuer, claims: { ...told, ...claims } };
    },
  };
}

async function discover(fetch: CustomFetch, settings: ProviderSettings): Promise<Configuration> {
  const issuerUrl = new URL(settings.issuerUrl);
  const config = await discovery(
    issuerUrl,
    settings.clientId,
    { [clockTolerance]: SKEW_S },
    authenticationOf(settings),
    { [customFetch]: fetch, execute: [enableNonRepudiationChecks] },
  );
  const metadata = config.serverMetadata();
  // The library accepts issuers with a placeholder for the tenant; then tokens of any tenant would be accepted.
  if (URL.parse(metadata.issuer)?.href !== issuerUrl.href)
    throw new Error('The discovery document is of another issuer.');
  for (const endpoint of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (URL.parse(metadata[endpoint] ?? '')?.protocol !== 'https:')
      throw new Error(`The discovery document has no ${endpoint} with https.`);
  return config;
}

/** How this client authenticates at the provider; Basic is the default of RFC 8414 if the provider names no method. */
function authenticationOf({ clientSecret }: ProviderSettings): ClientAuth {
  if (clientSecret === null) return None();
  const [post, basic] = [ClientSecretPost(clientSecret), ClientSecretBasic(clientSecret)];
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (ways.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

const CAUSES_MAX = 4;

/**
 * The messages of an error and its causes, for the log. The errors of the library also hold the answer of the provider, with its
 * tokens, and these belong into no log.
 */
export function wordsOf(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < CAUSES_MAX; at = at.cause)
    if (at.message !== '') messages.push(at.message.slice(0, 300));
  return messages.join(': ');
}

function refuseWeakSignature(idToken: string | undefined): void {
  const header: unknown = JSON.parse(Buffer.from(idToken?.split('.')[0] ?? '', 'base64url').toString());
  const algorithm = typeof header === 'object' && header !== null && 'alg' in header ? header.alg : undefined;
  if (typeof algorithm !== 'string' || !ALGORITHMS.includes(algorithm))
    throw new Error('The ID token is not signed with a key of the provider.');
}
