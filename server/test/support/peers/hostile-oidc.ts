import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Issued } from './tls-peer.ts';

type Json = Record<string, unknown>;

/** What the provider knows when it makes an ID token. */
export type TokenContext = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly nonce: string;
  readonly key: KeyObject;
  readonly publicPem: string;
  readonly otherKey: KeyObject;
};

/** How a provider lies. What is absent is done honestly. */
export type Lie = {
  readonly discovery?: (honest: Json) => Json;
  readonly claims?: (honest: Json, context: TokenContext) => Json;
  readonly header?: (honest: Json) => Json;
  /** Makes the compact token of header and claims. */
  readonly sign?: (header: Json, claims: Json, context: TokenContext) => string;
  readonly tokens?: (honest: Json) => Json;
  readonly userInfo?: Json;
  /** Answers a request itself; true when it did. */
  readonly answer?: (path: string, response: ServerResponse) => boolean;
  /** Changes the query parameters that the browser brings to the callback. */
  readonly callback?: (words: URLSearchParams, issuer: string) => void;
};

export type HostileOidc = {
  readonly issuer: string;
  readonly port: number;
  /** Paths that were asked for. */
  readonly asked: string[];
  lie: Lie;
  /** The person for whom the next ID token is made. */
  person: { sub: string; email: string; [claim: string]: unknown };
  /** Reads the address to which the service sent the browser, and returns the query parameters of its callback. */
  readonly authorize: (location: string) => URLSearchParams;
  /** The fields of the last token request. */
  readonly exchanged: () => URLSearchParams;
  readonly close: () => Promise<void>;
};

const encode = (value: Json | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

export const signRs256 = (header: Json, claims: Json, key: KeyObject): string => {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
};
export const signHs256 = (header: Json, claims: Json, secret: string): string => {
  const text = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};
export const unsigned = (header: Json, claims: Json): string =>
  `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`;

const KID = 'key-1';
export const CLIENT = { id: 'assay', secret: 'a secret of the client' } as const;

/** An identity provider of our own that lies in one way at a time. Honest without a lie. */
export async function startHostileOidc(issued: Issued, host: string): Promise<HostileOidc> {
  const [own, other] = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ];
  const server = createServer({ cert: issued.cert, key: issued.key });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const issuer = `https://${host}:${port}`;
  const state = { nonce: '', body: new URLSearchParams() };
  const peer: HostileOidc = {
    issuer,
    port,
    asked: [],
    lie: {},
    person: { sub: 'subject-1', email: 'person@corp.example.org' },
    authorize: (location) => {
      const sent = new URL(location).searchParams;
      state.nonce = sent.get('nonce') ?? '';
      const words = new URLSearchParams({ code: 'a-code', state: sent.get('state') ?? '', iss: issuer });
      peer.lie.callback?.(words, issuer);
      return words;
    },
    exchanged: () => state.body,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const context = (): TokenContext => ({
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    nonce: state.nonce,
    key: own.privateKey,
    publicPem: own.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    otherKey: other.privateKey,
  });
  const answers: Readonly<Record<string, () => Json>> = {
    '/.well-known/openid-configuration': () => {
      const honest = discoveryOf(issuer);
      return peer.lie.discovery?.(honest) ?? honest;
    },
    '/jwks': () => ({
      keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: KID, use: 'sig', alg: 'RS256' }],
    }),
    '/token': () => tokensOf(peer, context()),
    '/userinfo': () => peer.lie.userInfo ?? {},
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?')[0] ?? '';
    peer.asked.push(path);
    void readBody(request).then((body) => {
      if (path === '/token') state.body = body;
      if (peer.lie.answer?.(path, response) === true) return;
      if (path === '/authorize') return sendBack(peer, request, response);
      const found = answers[path];
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found?.() ?? {}));
    });
  });
  return peer;
}

/** The page of the provider: it knows the person, and sends the browser back at once. */
function sendBack(peer: HostileOidc, request: IncomingMessage, response: ServerResponse): void {
  const sent = new URL(request.url ?? '', peer.issuer);
  const words = peer.authorize(sent.href).toString();
  response.writeHead(302, { location: `${sent.searchParams.get('redirect_uri')}?${words}` }).end();
}

const discoveryOf = (issuer: string): Json => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  userinfo_endpoint: `${issuer}/userinfo`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  authorization_response_iss_parameter_supported: true,
});

function tokensOf(peer: HostileOidc, context: TokenContext): Json {
  const nowS = Math.floor(Date.now() / 1_000);
  const { lie } = peer;
  const honest = {
    iss: context.issuer,
    aud: context.clientId,
    nonce: context.nonce,
    iat: nowS,
    exp: nowS + 300,
    email_verified: true,
    ...peer.person,
  };
  const claims = lie.claims?.(honest, context) ?? honest;
  const plain = { alg: 'RS256', kid: KID, typ: 'JWT' };
  const header = lie.header?.(plain) ?? plain;
  const idToken = lie.sign?.(header, claims, context) ?? signRs256(header, claims, context.key);
  const tokens = {
    access_token: 'an-access-token',
    token_type: 'Bearer',
    expires_in: 300,
    id_token: idToken,
  };
  return lie.tokens?.(tokens) ?? tokens;
}

async function readBody(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
