import { z } from 'zod';
import type { Config } from '#platform/config.ts';
import { DAY_S, HOUR_S } from '#platform/time-units.ts';
import { etagOf, isUnchanged } from './conditional.ts';
import { DOCS_CSP, renderDocs } from './docs-page.ts';
import { describeApi } from './openapi.ts';
import { PUBLIC_READ } from './policy.ts';
import { type Call, NO_BODY, type PreparedBody, preparedBody, type Route, route } from './route.ts';

/** A shared cache may store it, and serve it while it revalidates (reliability 5.3). */
const CACHE = `public, max-age=300, stale-while-revalidate=${HOUR_S}, stale-if-error=${DAY_S}`;

type Addresses = Pick<Config, 'PUBLIC_API_URL' | 'PUBLIC_WEB_URL'>;

export function descriptionRoutes(routes: readonly Route[], config: Addresses): readonly Route[] {
  // Rendered on the first request only.
  let texts: { json: Rendered; html: Rendered } | null = null;
  const render = () => {
    const description = describeApi([...routes, ...own], {
      apiUrl: config.PUBLIC_API_URL,
      webUrl: config.PUBLIC_WEB_URL,
    });
    return { json: rendered(JSON.stringify(description)), html: rendered(renderDocs(description)) };
  };
  const read = (which: 'json' | 'html'): Rendered => {
    texts ??= render();
    return texts[which];
  };
  const own: readonly Route[] = [
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This interface, described for programs (OpenAPI 3.1).',
      tags: ['description'],
      policy: PUBLIC_READ,
      reply: z.looseObject({ openapi: z.string() }),
      handle: (call) => send(call, read('json'), 'application/json; charset=utf-8'),
    }),
    route({
      method: 'GET',
      path: '/docs',
      summary: 'This interface, described for people.',
      tags: ['description'],
      policy: { ...PUBLIC_READ, extension: true },
      produces: 'text/html; charset=utf-8',
      reply: z.string(),
      handle: (call) => {
        call.reply.header('content-security-policy', DOCS_CSP);
        return send(call, read('html'), 'text/html; charset=utf-8');
      },
    }),
  ];
  return own;
}

type Rendered = { readonly bytes: Buffer; readonly etag: string };

const rendered = (text: string): Rendered => ({ bytes: Buffer.from(text), etag: etagOf(text) });

function send(call: Pick<Call, 'request' | 'reply'>, what: Rendered, type: string): PreparedBody {
  if (isUnchanged(call, what.etag, CACHE)) return NO_BODY;
  call.reply.type(type);
  return preparedBody(what.bytes);
}
