import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Publication = { readonly body: string; readonly type: string; readonly modifiedMs: number };

export type Publisher = {
  /** `ADDRESS/BITS:PORT` for the outbound allow list: permits nothing but this publisher on this machine. */
  readonly allow: string;
  readonly url: (name: string) => string;
  readonly publish: (name: string, publication: Publication) => void;
  readonly close: () => Promise<void>;
};

/** Publishes the sample lists on loopback, so that the feed pipeline fetches them like any other list. */
export async function startPublisher(): Promise<Publisher> {
  const publications = new Map<string, Publication>();
  const server = createServer((request, response) => {
    const found = publications.get((request.url ?? '/').slice(1));
    if (found === undefined) return void response.writeHead(404).end();
    response
      .writeHead(200, {
        'content-type': found.type,
        'last-modified': new Date(found.modifiedMs).toUTCString(),
      })
      .end(found.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    allow: `127.0.0.1/32:${port}`,
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    publish: (name, publication) => void publications.set(name, publication),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
