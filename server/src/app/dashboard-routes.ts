import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '#platform/http/route.ts';
import { webAppRoutes } from '#platform/http/web-app/web-routes.ts';
import type { Services } from './services.ts';

const SERVER = join(import.meta.dirname, '../..');
const BUILT = join(SERVER, '../web/dist');

/** The folder of the built dashboard, which may be absent. */
export const dashboardDir = ({ WEB_DIR }: Pick<Services['config'], 'WEB_DIR'>): string => WEB_DIR ?? BUILT;

/** The dashboard under `/app` of the web host, and the redirect from the root. */
export function dashboardRoutes({ config, clock }: Pick<Services, 'config' | 'clock'>): readonly Route[] {
  return webAppRoutes({
    dir: dashboardDir(config),
    publicApiUrl: config.PUBLIC_API_URL,
    publicWebUrl: config.PUBLIC_WEB_URL,
    page: {
      demo: config.DEMO,
      version: versionOf(join(SERVER, 'package.json')),
      outwardLinks: config.OUTWARD_LINKS,
    },
    clock,
  });
}

const versionOf = (manifest: string): string =>
  (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version;
