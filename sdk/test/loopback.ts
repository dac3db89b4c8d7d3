import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};
export type Loopback = {
  readonly url: string;
  readonly received: Received[];
  readonly hungUp: () => number;
  readonly close: () => Promise<void>;
};
type Answer = (response: ServerResponse, request: Received, number: number) => unknown;

export async function startLoopback(answer: Answer): Promise<Loopback> {
  const received: Received[] = [];
  let hungUp = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const asked = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(asked);
    response.once('close', () => {
      if (!response.writableEnded) hungUp += 1;
    });
    await answer(response, asked, received.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    hungUp: () => hungUp,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

export function beginEvents(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 20\n\n');
  return response;
}

export const eventText = (id: number, type: string, data: unknown = {}): string =>
  `id: ${id}\ndata: ${JSON.stringify({ type, data })}\n\n`;
