import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export type ConnectProxy = {
  readonly port: number;
  readonly url: (credentials?: string) => string;
  /** The targets it was asked for, in order, such as `198.20.0.80:443`. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
};

/**
 * A real HTTP CONNECT proxy on loopback. `route` says to which port of loopback a target leads, because the public addresses of tests
 * lead nowhere; null refuses it with 403. With `password` it asks for `user:password`.
 */
export async function startConnectProxy(
  route: (target: string) => number | null,
  { password }: { readonly password?: string } = {},
): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    const target = request.url ?? '';
    asked.push(target);
    keep(client);
    const expected = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
    if (password !== undefined && request.headers['proxy-authorization'] !== expected)
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const port = route(target);
    if (port === null) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const upstream = keep(connect({ host: '127.0.0.1', port }));
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from.once('close', () => to.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    url: (credentials = '') => `http://${credentials === '' ? '' : `${credentials}@`}127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
