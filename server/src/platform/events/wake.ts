import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type LentConnection, lendConnection, type Postgres } from '../postgres.ts';

/** Sent with each event that is written, and with each batch that is numbered. */
export const WRITTEN = 'assay_events';
export const NUMBERED = 'assay_events_numbered';

const RETRY_MS = 500;

export type Bell = {
  readonly ring: () => void;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** A wait that a notification cuts short; a notification between two waits is remembered. */
export function createBell(): Bell {
  let rung = false;
  let wake: () => void = () => undefined;
  return {
    ring: () => {
      rung = true;
      wake();
    },
    wait: async (ms, signal) => {
      const early = new AbortController();
      wake = () => early.abort();
      if (!rung)
        await sleep(ms, undefined, { signal: AbortSignal.any([signal, early.signal]) }).catch(
          () => undefined,
        );
      rung = false;
    },
  };
}

type Listener = { readonly channel: string; readonly ring: () => void };
type Hub = { readonly listeners: Set<Listener>; readonly end: () => Promise<void> };

/** One connection of a pool listens for the relay and all readers of a process. */
const hubs = new WeakMap<Postgres, Hub>();

/**
 * Rings at every notification of the channel, until the returned function is called. Notifications only save time: the
 * poll finds every event that a notification missed.
 */
export function onNotification(
  postgres: Postgres,
  channel: string,
  ring: () => void,
  log: Log,
): () => Promise<void> {
  const hub = hubs.get(postgres) ?? openHub(postgres, log);
  const listener = { channel, ring };
  hub.listeners.add(listener);
  return async () => {
    hub.listeners.delete(listener);
    if (hub.listeners.size > 0) return;
    if (hubs.get(postgres) === hub) hubs.delete(postgres);
    await hub.end();
  };
}

function openHub(postgres: Postgres, log: Log): Hub {
  const ending = new AbortController();
  const listeners = new Set<Listener>();
  const listening = listen(postgres, listeners, log, ending.signal);
  const hub = {
    listeners,
    end: () => {
      ending.abort();
      return listening;
    },
  };
  hubs.set(postgres, hub);
  return hub;
}

async function listen(
  postgres: Postgres,
  listeners: ReadonlySet<Listener>,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const listenUntilBroken = async ({ client, broken }: LentConnection) => {
        client.on('notification', ({ channel }) => {
          for (const listener of listeners) if (listener.channel === channel) listener.ring();
        });
        await client.query(`listen ${WRITTEN}`);
        await client.query(`listen ${NUMBERED}`);
        await sleep(2 ** 31 - 1, undefined, { signal: AbortSignal.any([signal, broken]) }).catch(
          () => undefined,
        );
      };
      // The connection still listens, so it does not return to the pool.
      await lendConnection(postgres, listenUntilBroken, { isClosed: true });
    } catch (error) {
      log.warn({ err: error }, 'events.listen.waiting');
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}
