import { z } from 'zod';
import type { Config } from '#platform/config.ts';
import { DAY_S, HOUR_S } from '#platform/time-units.ts';
import { etagOf, isUnchanged } from './conditional.ts';
import { type DocsPage, renderDocs } from './docs-page.ts';
import type { DocsFonts } from './docs-style.ts';
import { type Description, describeApi } from './openapi.ts';
import { type Policy, PUBLIC_READ } from './policy.ts';
import { type Call, NO_BODY, type PreparedBody, preparedBody, type Route, route } from './route.ts';
import { acceptedEncodings } from './web-app/accept-encoding.ts';
import { type Compressed, compressBoth } from './web-app/compress.ts';

/** A shared cache may store the description, and serve it while it revalidates (reliability 5.3). */
const CACHE = `public, max-age=300, stale-while-revalidate=${HOUR_S}, stale-if-error=${DAY_S}`;

/**
 * The first request of a process renders the description: a second of CPU time. With the usual 10 s it was refused on
 * machines with ten busy processes for each core.
 */
const DESCRIPTION_READ: Policy = { ...PUBLIC_READ, deadlineMs: 60_000 };

export type DescriptionOptions = {
  readonly config: Pick<Config, 'PUBLIC_API_URL' | 'PUBLIC_WEB_URL'>;
  /** Answers to show, by operation id. */
  readonly samples: () => ReadonlyMap<string, unknown>;
  readonly fonts: () => DocsFonts;
};

export function descriptionRoutes(
  routes: readonly Route[],
  { config, samples, fonts }: DescriptionOptions,
): readonly Route[] {
  const described = once(
    (): Description =>
      describeApi([...routes, ...own], {
        apiUrl: config.PUBLIC_API_URL,
        webUrl: config.PUBLIC_WEB_URL,
        samples: samples(),
      }),
  );
  const json = once(() => rendered(JSON.stringify(described())));
  const page = once((): DocsPage & { readonly file: Rendered } => {
    const made = renderDocs(described(), { dashboardUrl: dashboardUrl(config), fonts: fonts() });
    return { ...made, file: rendered(made.html) };
  });
  const own: readonly Route[] = [
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This interface, described for programs (OpenAPI 3.1).',
      tags: ['description'],
      policy: DESCRIPTION_READ,
      reply: z.looseObject({ openapi: z.string() }),
      handle: (call) => send(call, json(), 'application/json; charset=utf-8'),
    }),
    route({
      method: 'GET',
      path: '/docs',
      summary: 'This interface, described for people.',
      tags: ['description'],
      policy: { ...DESCRIPTION_READ, extension: true },
      produces: 'text/html; charset=utf-8',
      reply: z.string(),
      handle: (call) => {
        const { csp, file } = page();
        call.reply.header('content-security-policy', csp);
        return send(call, file, 'text/html; charset=utf-8');
      },
    }),
  ];
  return own;
}

/** Calls `make` on the first request only. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A path alone where the dashboard is on the same host, so that it works under whatever name the reader used. */
function dashboardUrl({ PUBLIC_API_URL, PUBLIC_WEB_URL }: DescriptionOptions['config']): string {
  const { origin } = new URL(PUBLIC_WEB_URL);
  return `${new URL(PUBLIC_API_URL).origin === origin ? '' : origin}/app/`;
}

type Rendered = { readonly bytes: Buffer; readonly etag: string; readonly compressed: Promise<Compressed> };

function rendered(text: string): Rendered {
  const bytes = Buffer.from(text);
  return { bytes, etag: etagOf(text), compressed: compressBoth(bytes) };
}

async function send(
  call: Pick<Call, 'request' | 'reply'>,
  what: Rendered,
  type: string,
): Promise<PreparedBody> {
  const { request, reply } = call;
  const [encoding] = acceptedEncodings(request.headers['accept-encoding']);
  const bytes = encoding === undefined ? undefined : (await what.compressed)[encoding];
  reply.header('vary', 'accept-encoding');
  const etag = bytes === undefined ? what.etag : what.etag.replace(/"$/, `-${encoding}"`);
  if (isUnchanged(call, etag, CACHE)) return NO_BODY;
  reply.type(type);
  if (bytes === undefined) return preparedBody(what.bytes);
  reply.header('content-encoding', encoding);
  return preparedBody(bytes);
}
