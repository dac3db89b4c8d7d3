import { createServer } from 'node:http';
import type { Log } from '#platform/log.ts';

/** Prometheus text on a separate port, never on the public host (decisions 3.17). */
export async function serveMetrics(options: {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  readonly page: () => Promise<string>;
}): Promise<{ readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end('Metrics are at /metrics.\n');
      return;
    }
    options.page().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => response.writeHead(500).end('Metrics could not be collected.\n'),
    );
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve) => {
    // A taken port is reported and does not stop the service.
    server.once('error', (error) => {
      options.log.error({ err: error, host: options.host, port: options.port }, 'metrics page not served');
      resolve();
    });
    server.listen(options.port, options.host, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
