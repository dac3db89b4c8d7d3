import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { sleep } from '../eventually.ts';

/** `up` passes, `slow` passes late, `late` never answers in time, `full` refuses as a node whose scanners are all busy. */
export type ScanState = 'up' | 'slow' | 'late' | 'full' | 'gone';

export type ScanProxy = {
  readonly url: string;
  state: ScanState;
  readonly asked: () => number;
  readonly close: () => Promise<void>;
};

const SLOW_MS = 400;
const LATE_MS = 600_000;

/** Stands in front of a service and delays or fails its scans. `gone` resets connections; `closedUrl` refuses them. */
export async function startScanProxy(target: string): Promise<ScanProxy> {
  let asked = 0;
  const stopping = new AbortController();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked += 1;
    if (proxy.state === 'gone') {
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (proxy.state === 'slow') await sleep(SLOW_MS);
    if (proxy.state === 'late') await Promise.race([sleep(LATE_MS), once(stopping.signal, 'abort')]);
    if (proxy.state === 'full') {
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' });
      response.end('{"error":"Every scanner is busy. Try again shortly."}');
      return;
    }
    const passed = await fetch(`${target}${request.url ?? ''}`, {
      method: request.method ?? 'GET',
      headers: {
        'content-type': 'application/json',
        'x-api-key': String(request.headers['x-api-key'] ?? ''),
      },
      body: new Uint8Array(Buffer.concat(chunks)),
    });
    const retryAfter = passed.headers.get('retry-after');
    response.writeHead(passed.status, {
      'content-type': 'application/json',
      ...(retryAfter !== null && { 'retry-after': retryAfter }),
    });
    response.end(Buffer.from(await passed.arrayBuffer()));
  };
  const server = createHttpServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: ScanProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: 'up',
    asked: () => asked,
    close: async () => {
      stopping.abort();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** An address on which nothing listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
