import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPOSE } from '#app/compose-settings.ts';
import { systemClock } from '#platform/clock.ts';
import { DEVELOPMENT_SECRETS } from '#platform/config.ts';
import { asSystem, sql } from '#platform/postgres.ts';
import { readCompose } from './compose-file.ts';
import { createTestDatabase } from './database.ts';
import { readDotEnv } from './env-files.ts';
import { freePort } from './eventually.ts';
import { type Service, startService } from './service.ts';

/** The data that a test file needs to use a service of another process. */
export type SharedParts = Pick<Service, 'url' | 'metricsUrl' | 'env' | 'logFile'> & {
  /** The X-Forwarded-For address of this file's calls, which gives it its own limits per address. */
  readonly address: string;
};

type Running = { readonly service: Service; readonly stop: () => Promise<void> };

/**
 * One service for all test files that neither change the corpus nor count all of it, started at the first
 * request of a test file: a start costs about 10 s of CPU. `url` gives the address of the service.
 */
export async function offerSharedService(
  template: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  let running: Promise<Running> | undefined;
  let files = 0;
  const host = createServer((_, response) => {
    files += 1;
    // An address of the benchmark range (RFC 2544).
    const address = `198.18.0.${files}`;
    running ??= startShared(template);
    running.then(
      ({ service: { url, metricsUrl, env, logFile } }) =>
        response.end(JSON.stringify({ url, metricsUrl, env, logFile, address } satisfies SharedParts)),
      (error: unknown) => {
        // A failed start is retried for the next file.
        running = undefined;
        response.writeHead(500).end(String(error));
      },
    );
  });
  const port = await freePort();
  await new Promise<void>((resolve) => host.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      host.closeAllConnections();
      await new Promise((resolve) => host.close(resolve));
      await (await running?.catch(() => undefined))?.stop();
    },
  };
}

/** The dashboard of the shared service: a page that shows the values that the service inserts. */
const PAGE = '<p nonce="__CSP_NONCE__">__ASSAY_CONFIG__</p>';
const WEB_URL = 'http://127.0.0.1:8080';

/** A `.env` with a setting that is hard to pass on and with one that compose.yaml does not use. */
const DOT_ENV = `AI_MODEL='a model, "large" $1 #2'
HTTP_PORT=9999
ADMIN_HOST=127.0.0.1
SECRET_KEY=${DEVELOPMENT_SECRETS.SECRET_KEY}
KEY_PEPPER=${DEVELOPMENT_SECRETS.KEY_PEPPER}
POSTGRES_PASSWORD=a
APP_PASSWORD=b
SYSTEM_PASSWORD=c
REDIS_PASSWORD=d
NODE_IMAGE=e
POSTGRES_IMAGE=f
REDIS_IMAGE=g
`;

/** What the container of the API gets from compose.yaml, without the engines and the folder of the container. */
function composeDeployment(): Readonly<Record<string, string>> {
  const { api } = readCompose([join(import.meta.dirname, '../../../compose.yaml')], readDotEnv(DOT_ENV));
  return Object.fromEntries(
    Object.entries(api?.environment ?? {}).filter(([name]) => !(name in COMPOSE.fixed)),
  );
}

async function startShared(template: string): Promise<Running> {
  // Imported on demand, so that projects that never use it do not pay for the import.
  const { loadSharedCorpus } = await import('../contract/shared-corpus.ts');
  const webDir = mkdtempSync(join(tmpdir(), 'assay-dashboard-'));
  writeFileSync(join(webDir, 'index.html'), PAGE);
  const database = await createTestDatabase(template);
  const system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  try {
    await loadSharedCorpus(system, systemClock());
    // No worker runs beside this service. Its shared collections are empty, and count as published.
    await sql`update publication set current_at = now(), outcome = 'published'`.execute(system.db);
    const service = await startService({
      databaseUrl: database.url,
      deployment: composeDeployment(),
      env: {
        TRUSTED_PROXIES: '127.0.0.1/32',
        WEB_DIR: webDir,
        DEMO: 'true',
        ADMIN_PORT: String(await freePort()),
        PUBLIC_WEB_URL: WEB_URL,
        PUBLIC_API_URL: WEB_URL,
      },
    });
    const stop = async () => {
      await service.stop();
      await database.drop();
      rmSync(webDir, { recursive: true, force: true });
    };
    return { service, stop };
  } catch (error) {
    await database.drop();
    throw error;
  } finally {
    await system.close();
  }
}
