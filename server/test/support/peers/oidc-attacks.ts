import { type Lie, signHs256, signRs256, unsigned } from './hostile-oidc.ts';

const nowS = (): number => Math.floor(Date.now() / 1_000);
const claim =
  (name: string, value: unknown): NonNullable<Lie['claims']> =>
  (honest) => ({ ...honest, [name]: value });
const without =
  (name: string): NonNullable<Lie['claims']> =>
  ({ [name]: _gone, ...rest }) =>
    rest;
const redirect =
  (from: string, to: string): NonNullable<Lie['answer']> =>
  (path, response) => {
    if (path !== from) return false;
    response.writeHead(302, { location: to }).end();
    return true;
  };
const says =
  (from: string, type: string, body: string): NonNullable<Lie['answer']> =>
  (path, response) => {
    if (path !== from) return false;
    response.writeHead(200, { 'content-type': type }).end(body);
    return true;
  };

/** Ways in which a provider, or a person between it and the browser, tries to get in. None may open a session. */
export const OIDC_ATTACKS: Readonly<Record<string, Lie>> = {
  'an ID token of another issuer': { claims: claim('iss', 'https://accounts.google.com') },
  'an issuer that differs by a slash': { claims: (honest) => ({ ...honest, iss: `${String(honest.iss)}/` }) },
  'an ID token for another client': { claims: claim('aud', 'another-client') },
  'an ID token for no client': { claims: without('aud') },
  'two audiences and no authorized party': { claims: claim('aud', ['assay', 'another-client']) },
  'an authorized party that is another client': {
    claims: (honest) => ({ ...honest, aud: ['assay', 'another-client'], azp: 'another-client' }),
  },
  'the nonce of another sign-in': { claims: claim('nonce', 'a-nonce-that-was-seen-before') },
  'no nonce': { claims: without('nonce') },
  'an ID token that expired two minutes ago': {
    claims: (honest) => ({ ...honest, iat: nowS() - 420, exp: nowS() - 120 }),
  },
  'an ID token that never expires': { claims: without('exp') },
  'an ID token that is valid from tomorrow on': { claims: (honest) => ({ ...honest, nbf: nowS() + 86_400 }) },
  'alg none': { sign: unsigned },
  'alg none, announced in the discovery document': {
    discovery: (honest) => ({ ...honest, id_token_signing_alg_values_supported: ['none', 'RS256'] }),
    sign: unsigned,
  },
  'HS256 with the public key as the secret': {
    discovery: (honest) => ({ ...honest, id_token_signing_alg_values_supported: ['HS256', 'RS256'] }),
    sign: (header, claims, { publicPem }) => signHs256(header, claims, publicPem),
  },
  'HS256 with the client secret': {
    discovery: (honest) => ({ ...honest, id_token_signing_alg_values_supported: ['HS256'] }),
    sign: (header, claims, { clientSecret }) => signHs256(header, claims, clientSecret),
  },
  'another key under the same key id': {
    sign: (header, claims, { otherKey }) => signRs256(header, claims, otherKey),
  },
  'a key id that the provider does not have': { header: (honest) => ({ ...honest, kid: 'key-of-another' }) },
  'a key that the token itself names': {
    header: (honest) => ({ ...honest, kid: 'own', jku: 'https://evil.example/jwks' }),
    sign: (header, claims, { otherKey }) => signRs256(header, claims, otherKey),
  },
  'a critical header that is not understood': {
    header: (honest) => ({ ...honest, crit: ['b64'], b64: false }),
  },
  'claims that were changed after signing': {
    sign: (header, claims, { key }) => {
      const [head, , signature] = signRs256(header, claims, key).split('.');
      const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'the-owner' })).toString('base64url');
      return `${head}.${changed}.${signature}`;
    },
  },
  'a signature that is cut off': {
    sign: (header, claims, { key }) => signRs256(header, claims, key).slice(0, -40),
  },
  'an address that is not verified': { claims: claim('email_verified', false) },
  'an address of which nothing is said': { claims: without('email_verified') },
  'a claim of Entra from another provider': {
    claims: ({ email_verified: _gone, ...honest }) => ({ ...honest, xms_edov: true }),
  },
  'an address of another domain': { claims: claim('email', 'person@other.example.org') },
  'an address of a subdomain': { claims: claim('email', 'person@mail.corp.example.org') },
  'an address that only ends like the domain': { claims: claim('email', 'person@evilcorp.example.org') },
  'two addresses in one': { claims: claim('email', 'person@evil.example@corp.example.org') },
  'an address with a line break': { claims: claim('email', 'person\r\n@corp.example.org') },
  'no subject': { claims: without('sub') },
  'a subject without an end': { claims: claim('sub', 's'.repeat(300)) },
  'no ID token': { tokens: ({ id_token: _gone, ...rest }) => rest },
  'user info about another subject': {
    claims: without('email'),
    userInfo: { sub: 'another', email: 'person@corp.example.org', email_verified: true },
  },
  'keys of a megabyte': {
    answer: says('/jwks', 'application/json', JSON.stringify({ keys: [{ kid: 'x'.repeat(1_048_576) }] })),
  },
  'keys at the metadata address of a cloud': {
    discovery: (honest) => ({ ...honest, jwks_uri: 'https://169.254.169.254/latest/jwks' }),
  },
  'keys behind a redirect to this machine': { answer: redirect('/jwks', 'https://127.0.0.1/jwks') },
  'tokens behind a redirect to the metadata address of a cloud': {
    answer: redirect('/token', 'http://169.254.169.254/latest/meta-data/'),
  },
  'a token endpoint on this machine': {
    discovery: (honest) => ({ ...honest, token_endpoint: 'https://127.0.0.1:5432/token' }),
  },
  'a token endpoint without TLS': {
    discovery: (honest) => ({ ...honest, token_endpoint: 'http://idp.corp.example.org/token' }),
  },
  'tokens that are HTML': { answer: says('/token', 'text/html', '<script>alert(1)</script>') },
  'a discovery document that changes its issuer': {
    discovery: (honest) => ({ ...honest, issuer: 'https://accounts.google.com' }),
  },
  'mix-up: the answer of another issuer': {
    callback: (words) => words.set('iss', 'https://accounts.google.com'),
  },
  'mix-up: an answer that leaves its issuer out': { callback: (words) => words.delete('iss') },
  'a state of another sign-in': { callback: (words) => words.set('state', 'a-state-that-was-seen-before') },
  'no state': { callback: (words) => words.delete('state') },
  'two states': { callback: (words) => words.append('state', 'another') },
  'no code': { callback: (words) => words.delete('code') },
  'an error beside a code': { callback: (words) => words.set('error', 'access_denied') },
  'an ID token in the address': {
    callback: (words) => {
      words.delete('code');
      words.set('id_token', unsigned({}, { sub: 'the-owner' }));
    },
  },
};
