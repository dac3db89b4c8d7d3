import pg from 'pg';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { systemUrlOf } from '../postgres.ts';
import { openHosts, singleHostUrls } from '../postgres-hosts.ts';
import { REPLICA_CHANNEL } from './change-log.ts';

const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 5_000;
const CONNECT_MS = 5_000;

/**
 * Listens for the names of changed datasets on a separate connection. It only shortens the wait: the follower polls
 * twice a second, so a lost notification costs half a second and nothing else.
 */
export function listenForChanges(
  config: Pick<Config, 'DATABASE_URL' | 'SYSTEM_DATABASE_URL'>,
  log: Log,
  onChange: (dataset: string) => void,
): { readonly close: () => Promise<void> } {
  const url = systemUrlOf(config);
  const hosts = openHosts(url, { needsWriting: true, waitMs: CONNECT_MS });
  const Client = hosts?.Client ?? pg.Client;
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let retryMs = RETRY_MIN_MS;
  let isClosed = false;

  const connect = async (): Promise<void> => {
    const next = new Client({
      connectionString: singleHostUrls(url)[0],
      application_name: 'assay_replica_listen',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      options: '-c role=assay_system',
    });
    client = next;
    next.on('notification', (notice) => onChange(notice.payload ?? ''));
    next.on('error', () => undefined);
    next.on('end', again);
    try {
      await next.connect();
      await next.query(`listen ${REPLICA_CHANNEL}`);
      retryMs = RETRY_MIN_MS;
    } catch (error) {
      log.debug({ err: error }, 'cannot listen for changes; looking for them instead');
      void next.end().catch(() => undefined);
      again();
    }
  };
  function again(): void {
    if (isClosed || retry !== null) return;
    retry = setTimeout(() => {
      retry = null;
      void connect();
    }, retryMs);
    retryMs = Math.min(RETRY_MAX_MS, retryMs * 2);
  }
  // The end of this connection opens one to the host that was chosen.
  hosts?.follow(() => void client?.end().catch(() => undefined));
  void connect();
  return {
    close: async () => {
      isClosed = true;
      hosts?.close();
      if (retry !== null) clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
