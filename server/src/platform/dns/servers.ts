import { Resolver } from 'node:dns';
import { isIP } from 'node:net';
import type { Clock } from '../clock.ts';

export type DnsServer = { readonly host: string; readonly port: number };

const PORT = 53;
const SYSTEM_FOR_MS = 60_000;

export function parseServer(text: string): DnsServer {
  if (isIP(text) !== 0) return { host: text, port: PORT };
  const parts = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text);
  const [host, port] = [parts?.[1] ?? '', Number(parts?.[2])];
  if (isIP(host) === 0 || !(port >= 1 && port <= 65_535))
    throw new Error(`'${text}' is not the address of a name server.`);
  return { host, port };
}

/** The configured or the system's servers, read again periodically because a machine may change networks. */
export function serverList(
  given: readonly string[],
  clock: Pick<Clock, 'monotonic'>,
): () => readonly DnsServer[] {
  if (given.length > 0) {
    const parsed = given.map(parseServer);
    return () => parsed;
  }
  let known: readonly DnsServer[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.monotonic() - readAt < SYSTEM_FOR_MS) return known;
    readAt = clock.monotonic();
    known = new Resolver().getServers().map(parseServer);
    return known;
  };
}
