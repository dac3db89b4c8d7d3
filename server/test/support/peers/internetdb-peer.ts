import { type ModalPeer, startModalPeer } from './peer-mode.ts';

export type InternetDbPeer = ModalPeer & {
  /** Sets the answer about one address; every other address is 404. */
  readonly tell: (ip: string, body: unknown, status?: number) => void;
};

/** Open ports and vulnerabilities by address, in the shape of InternetDB. */
export async function startInternetDbPeer(where: { readonly port?: number } = {}): Promise<InternetDbPeer> {
  const hosts = new Map<string, { readonly body: unknown; readonly status: number }>();
  const peer = await startModalPeer((request, response) => {
    const told = hosts.get(decodeURIComponent((request.url ?? '').slice(1)));
    response
      .writeHead(told?.status ?? 404, { 'content-type': 'application/json', 'retry-after': '30' })
      .end(JSON.stringify(told?.body ?? { detail: 'No information available' }));
  }, where);
  return Object.assign(peer, {
    tell: (ip: string, body: unknown, status = 200) => {
      hosts.set(ip, { body, status });
    },
  });
}

export const internetDbHost = (ip: string, different: Readonly<Record<string, unknown>> = {}) => ({
  ip,
  ports: [443, 22],
  cpes: ['cpe:/a:openbsd:openssh:8.9'],
  hostnames: ['host.example.com'],
  tags: ['cloud'],
  vulns: [],
  ...different,
});
