import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HttpPeer = {
  readonly port: number;
  readonly url: string;
  readonly requests: readonly string[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

export async function startHttpPeer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  where: { readonly host?: string; readonly port?: number } = {},
): Promise<HttpPeer> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    handle(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  const host = where.host ?? '127.0.0.1';
  server.listen(where.port ?? 0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host}:${port}`,
    requests,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
