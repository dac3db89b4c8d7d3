import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export type PageServer = { readonly url: string; readonly close: () => Promise<void> };

export async function servePage(folder: string): Promise<PageServer> {
  const modules = new Map(
    globSync('**/*.js', { cwd: folder }).map((name) => [`/sdk/${name}`, readFileSync(join(folder, name))]),
  );
  const server = createServer(({ url = '' }, response) => {
    const code = modules.get(url);
    if (code !== undefined) response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(code);
    else if (url === '/')
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Page</title>');
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
