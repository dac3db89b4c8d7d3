import { type AddressInfo, createServer } from 'node:net';
import { createScanner } from './ask-scanner.ts';
import { type LogLine, Session } from './session.ts';
import type { Settings } from './settings.ts';
import { SmtpPeer } from './smtp-peer.ts';

export type Bridge = { readonly port: number; readonly close: () => Promise<void> };

/** How long Postfix may be silent between two commands, or between two packets of a message. */
const IDLE_MS = 300_000;

/** Listens for Postfix, and hands each message back to it after its scan. */
export async function startBridge(settings: Settings, log: (line: LogLine) => void): Promise<Bridge> {
  const sessions = new Map<Session, Promise<void>>();
  let isStopping = false;
  const deps = { settings, scan: createScanner(settings), log, isStopping: () => isStopping };
  const server = createServer({ allowHalfOpen: false }, (socket) => {
    const peer = new SmtpPeer(socket, IDLE_MS);
    if (sessions.size >= settings.sessionsMax) {
      peer.reply(421, '4.3.2 Too many connections (ASSAY_SESSIONS_MAX)');
      peer.end();
      return;
    }
    const session = new Session(peer, deps);
    const running = session
      .run()
      .catch((error: unknown) => {
        log({ event: 'session failed', error: String(error) });
        peer.destroy();
      })
      .finally(() => sessions.delete(session));
    sessions.set(session, running);
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(settings.listen.port, settings.listen.host, () => listening.resolve());
  await listening.promise;
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      isStopping = true;
      server.close();
      for (const session of sessions.keys()) session.stop();
      await Promise.all(sessions.values());
    },
  };
}
