import { type ModalPeer, startModalPeer } from './peer-mode.ts';

/** The answer of a registry: an object, raw text, a status, or a redirect. */
export type RdapAnswer =
  | { readonly json: unknown }
  | { readonly text: string | Buffer }
  | { readonly status: number }
  | { readonly redirect: string };

export type RdapPeer = ModalPeer & {
  readonly bootstrapUrl: string;
  readonly registryUrl: string;
  /** Bootstrap files (`dns.json`, `ipv4.json`, `ipv6.json`), sent as they are with an ETag of the content. */
  readonly files: Map<string, string>;
  /** Answers by path, such as `domain/example.com` or `ip/192.0.2.1`; other paths are 404. */
  readonly answers: Map<string, RdapAnswer>;
};

/** IANA's bootstrap files and one registry behind them with .com, .net and a few networks. */
export async function startRdapPeer(where: { readonly port?: number } = {}): Promise<RdapPeer> {
  const files = new Map<string, string>();
  const answers = new Map<string, RdapAnswer>();
  const peer = await startModalPeer((request, response) => {
    const [, folder = '', ...rest] = (request.url ?? '').split('/');
    const path = decodeURIComponent(rest.join('/'));
    if (folder === 'bootstrap') {
      const text = files.get(path);
      const etag = `"${Buffer.from(text ?? '').toString('base64').length}-${text?.length}"`;
      if (text === undefined) response.writeHead(404).end();
      else if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else response.writeHead(200, { 'content-type': 'application/json', etag }).end(text);
      return;
    }
    const answer = answers.get(path) ?? { status: 404 };
    if ('redirect' in answer) response.writeHead(302, { location: answer.redirect }).end();
    else if ('status' in answer) response.writeHead(answer.status).end('{}');
    else {
      response.writeHead(200, { 'content-type': 'application/rdap+json' });
      response.end('text' in answer ? answer.text : JSON.stringify(answer.json));
    }
  }, where);
  const registryUrl = `${peer.url}/registry/`;
  files.set('dns.json', bootstrapFile([[['com', 'net'], [registryUrl]]]));
  files.set('ipv4.json', bootstrapFile([[['0.0.0.0/0'], [registryUrl]]]));
  files.set('ipv6.json', bootstrapFile([[['2000::/3'], [registryUrl]]]));
  return Object.assign(peer, { bootstrapUrl: `${peer.url}/bootstrap/`, registryUrl, files, answers });
}

export const bootstrapFile = (
  services: readonly (readonly [readonly string[], readonly string[]])[],
): string => JSON.stringify({ version: '1.0', publication: '2026-01-01T00:00:00Z', services });

const card = (name: string) => [
  'vcard',
  [
    ['version', {}, 'text', '4.0'],
    ['fn', {}, 'text', name],
  ],
];

/** The answer of a domain registry (RFC 9083 5.3). */
export const rdapDomain = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  objectClassName: 'domain',
  handle: 'D1-TEST',
  ldhName: name.toUpperCase(),
  status: ['client transfer prohibited'],
  events: [
    { eventAction: 'registration', eventDate: '1999-06-11T04:00:00Z' },
    { eventAction: 'expiration', eventDate: '2027-06-11T04:00:00Z' },
    { eventAction: 'last changed', eventDate: '2024-02-03T04:05:06Z' },
    { eventAction: 'last update of RDAP database', eventDate: '2026-01-01T00:00:00Z' },
  ],
  entities: [
    {
      objectClassName: 'entity',
      handle: '292',
      roles: ['registrar'],
      vcardArray: card('Example Registrar, Inc.'),
      entities: [{ objectClassName: 'entity', roles: ['abuse'], vcardArray: card('Abuse Desk') }],
    },
    { objectClassName: 'entity', roles: ['registrant'], vcardArray: card('Example Org') },
  ],
  nameservers: [
    { objectClassName: 'nameserver', ldhName: 'NS1.EXAMPLE.NET' },
    { objectClassName: 'nameserver', ldhName: 'ns2.example.net.' },
  ],
  ...more,
});

/** The answer of an address registry (RFC 9083 5.4). */
export const rdapNetwork = (first: string, last: string, more: Readonly<Record<string, unknown>> = {}) => ({
  objectClassName: 'ip network',
  handle: 'NET-1',
  startAddress: first,
  endAddress: last,
  ipVersion: first.includes(':') ? 'v6' : 'v4',
  name: 'EXAMPLE-NET',
  country: 'NL',
  status: ['active'],
  events: [
    { eventAction: 'registration', eventDate: '2010-01-02T00:00:00-05:00' },
    { eventAction: 'last changed', eventDate: '2020-01-02T00:00:00Z' },
  ],
  entities: [{ objectClassName: 'entity', roles: ['registrant'], vcardArray: card('Example Networks BV') }],
  ...more,
});
