import type { Server } from 'node:http';

/**
 * A year. Without includeSubDomains, because other hosts below the operator's name may not have HTTPS; the operator's
 * proxy can say more.
 */
const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * Tells browsers to use HTTPS only, on every answer, where plain HTTP is refused. A listener of the server and not a hook,
 * because one more list of hooks costs every request half a microsecond.
 */
export function demandStrictTransport(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.setHeader('strict-transport-security', STRICT_TRANSPORT);
  });
}
