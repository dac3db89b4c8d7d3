import { asSystem, sql } from '../../../server/src/platform/postgres.ts';
import { freePort } from '../../../server/test/support/eventually.ts';
import { type Service, startService } from '../../../server/test/support/service.ts';

/** The data that another process needs to use a running service. */
export type ServiceAddress = Pick<Service, 'url' | 'env'> & {
  /** The port of the dashboard's pages: the service accepts requests from pages of this port only. */
  readonly pagePort: number;
};

export type RunningService = ServiceAddress & Pick<Service, 'stop'>;

export type WebServiceOptions = {
  readonly databaseUrl: string;
  readonly webDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Keeps the default limits for anonymous callers. */
  readonly realLimits?: boolean;
  /** The host of the dashboard's address; browsers offer passkeys at `localhost` and not at 127.0.0.1. */
  readonly pageHost?: 'localhost';
  /** False: does not wait until the service has loaded its data. */
  readonly waitReady?: boolean;
};

/** Raises the limits per client address, because all pages of a test run come from one address. */
const NO_LIMITS = {
  PUBLIC_PER_MINUTE: '100000',
  ANON_PER_HOUR: '100000',
  ANON_PER_MONTH: '1000000',
  SIGN_IN_PER_MINUTE: '100000',
  SIGN_IN_DEVICE_PER_HOUR: '100000',
  SIGN_IN_NETWORK_PER_HOUR: '100000',
  SIGN_IN_ACCOUNT_PER_HOUR: '100000',
  LETTERS_PER_HOUR: '100000',
  LETTERS_MAILBOX_PER_HOUR: '100000',
};

/** The service with the dashboard; nothing listens on its page port yet. */
export async function startWebService(options: WebServiceOptions): Promise<RunningService> {
  const [pagePort, apiPort] = [await freePort(), await freePort()];
  await countAsPublished(options.databaseUrl);
  const { url, env, stop } = await startService({
    databaseUrl: options.databaseUrl,
    waitReady: options.waitReady ?? true,
    env: {
      WEB_DIR: options.webDir,
      HTTP_PORT: String(apiPort),
      PUBLIC_WEB_URL: `http://${options.pageHost ?? '127.0.0.1'}:${pagePort}`,
      // The pages print this address in their example commands, which tests run.
      PUBLIC_API_URL: `http://127.0.0.1:${apiPort}`,
      ...(options.realLimits === true ? {} : NO_LIMITS),
      ...options.env,
    },
  });
  return { url, env, pagePort, stop };
}

/** No worker runs beside this service. What a worker would publish counts as published, or every page would say that it is late. */
async function countAsPublished(databaseUrl: string): Promise<void> {
  const system = asSystem({ DATABASE_URL: databaseUrl, POSTGRES_POOL_MAX: 1 });
  await sql`update publication set current_at = now(), outcome = 'published'`.execute(system.db);
  await system.close();
}
