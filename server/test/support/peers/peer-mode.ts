import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpPeer, startHttpPeer } from '../http-peer.ts';

/** The behaviour of an upstream: correct, or one of the failures to test. */
export type PeerMode = 'answer' | 'hang' | 'error' | 'garbage' | 'flood';

export type ModalPeer = HttpPeer & { mode: PeerMode };

const GARBAGE = Buffer.from('\u0000\u001b[31m{"unterminated": [1, 2, "\ud83d\ude00', 'utf8');
const FLOOD_CHUNK = Buffer.alloc(64 * 1024, 'A');

/** A web service on loopback that answers by `handle` until its mode is changed. */
export async function startModalPeer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  where: { readonly host?: string; readonly port?: number } = {},
): Promise<ModalPeer> {
  const state: { mode: PeerMode } = { mode: 'answer' };
  const peer = await startHttpPeer((request, response) => {
    switch (state.mode) {
      case 'answer':
        return handle(request, response);
      case 'hang':
        return;
      case 'error':
        response.writeHead(503, { 'content-type': 'text/plain' }).end('overloaded');
        return;
      case 'garbage':
        response.writeHead(200, { 'content-type': 'application/json' }).end(GARBAGE);
        return;
      case 'flood':
        return flood(response);
    }
  }, where);
  return {
    ...peer,
    get mode() {
      return state.mode;
    },
    set mode(next) {
      state.mode = next;
    },
  };
}

function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const pump = () => {
    while (!response.destroyed && response.write(FLOOD_CHUNK)) {
      // Writes until the socket's buffer is full.
    }
    if (!response.destroyed) response.once('drain', pump);
  };
  pump();
}
