import { z } from 'zod';
import type { Config } from '#platform/config.ts';
import { DAY_S, HOUR_S } from '#platform/time-units.ts';
import { type DocsPage, renderDocs } from './docs-page.ts';
import type { DocsFonts } from './docs-style.ts';
import { type Description, describeApi, describeOperatorApi } from './openapi.ts';
import { ACTION_VERSIONS, type Action, type ActionVersion, describeActions } from './openapi-actions.ts';
import { type Policy, PUBLIC_READ } from './policy.ts';
import { type Route, route } from './route.ts';
import { documentOf, type ServedDocument, sendDocument } from './served-document.ts';

/** A shared cache may store the description, and serve it while it revalidates (reliability 5.3). */
const CACHE = `public, max-age=300, stale-while-revalidate=${HOUR_S}, stale-if-error=${DAY_S}`;
const JSON_FILE = { type: 'application/json; charset=utf-8', cache: CACHE };
const HTML_FILE = { type: 'text/html; charset=utf-8', cache: CACHE };
const PRIVATE_FILE = { ...JSON_FILE, cache: 'private, no-cache' };

/**
 * The first request of a process renders the description: a second of CPU time. With the usual 10 s it was refused on
 * machines with ten busy processes for each core.
 */
const RENDER_DEADLINE_MS = 60_000;
const DESCRIPTION_READ: Policy = { ...PUBLIC_READ, deadlineMs: RENDER_DEADLINE_MS };
const TAGS = ['description'];
const OpenApiDocument = z.looseObject({ openapi: z.string() });

export type DescriptionOptions = {
  readonly config: Pick<Config, 'PUBLIC_API_URL' | 'PUBLIC_WEB_URL'>;
  /** Answers to show, by operation id. */
  readonly samples: () => ReadonlyMap<string, unknown>;
  readonly fonts: () => DocsFonts;
  /** What the routes of each tag are about. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The operations of the short description, by operation id. */
  readonly actions?: Readonly<Record<string, Action>>;
};

/** The routes that describe the public interface: for programs, for automation tools and for people. */
export function descriptionRoutes(routes: readonly Route[], options: DescriptionOptions): readonly Route[] {
  const { config, samples, fonts, tags = {}, actions = {} } = options;
  const described = once(
    (): Description =>
      describeApi([...routes, ...own], {
        apiUrl: config.PUBLIC_API_URL,
        webUrl: config.PUBLIC_WEB_URL,
        samples: samples(),
        tags,
      }),
  );
  const json = once(() => documentOf(JSON.stringify(described())));
  const page = once((): DocsPage & { readonly file: ServedDocument } => {
    const made = renderDocs(described(), { dashboardUrl: dashboardUrl(config), fonts: fonts() });
    return { ...made, file: documentOf(made.html) };
  });
  const own: readonly Route[] = [
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This interface, described for programs (OpenAPI 3.1).',
      tags: TAGS,
      policy: DESCRIPTION_READ,
      conditional: true,
      reply: OpenApiDocument,
      handle: (call) => sendDocument(call, json(), JSON_FILE),
    }),
    actionsRoute(described, actions),
    route({
      method: 'GET',
      path: '/docs',
      summary: 'This interface, described for people.',
      tags: TAGS,
      policy: { ...DESCRIPTION_READ, extension: true },
      produces: 'text/html; charset=utf-8',
      conditional: true,
      reply: z.string(),
      handle: (call) => {
        const { csp, file } = page();
        call.reply.header('content-security-policy', csp);
        return sendDocument(call, file, HTML_FILE);
      },
    }),
  ];
  return own;
}

const ActionsQuery = z.object({
  version: z
    .enum(ACTION_VERSIONS)
    .default('3.0')
    .describe('The version of OpenAPI: 3.0 is what most automation tools read.'),
});

function actionsRoute(described: () => Description, actions: Readonly<Record<string, Action>>): Route {
  const rendered = (version: ActionVersion) =>
    once(() => documentOf(JSON.stringify(describeActions(described(), actions, version))));
  const files = { '3.0': rendered('3.0'), '3.1': rendered('3.1') };
  return route({
    method: 'GET',
    path: '/openapi-actions.json',
    summary: 'The most used operations, described for automation tools and assistants.',
    description:
      'A short form of /openapi.json: 25 operations, each with a name and a text of at most 300 characters, with an API key as the only credential.',
    tags: TAGS,
    policy: { ...DESCRIPTION_READ, since: '1.1.0', extension: true },
    conditional: true,
    query: ActionsQuery,
    reply: OpenApiDocument,
    handle: (call) => sendDocument(call, files[call.query.version](), JSON_FILE),
  });
}

/** The route that describes the operators' listener. Like its neighbors it needs a token. */
export function operatorDescriptionRoute(
  routes: readonly Route[],
  { policy, tags }: { readonly policy: Policy; readonly tags: Readonly<Record<string, string>> },
): Route {
  // A path alone: the listener may be behind a proxy, and answers under whatever name the operator used.
  const json = once(() =>
    documentOf(JSON.stringify(describeOperatorApi([...routes, own], { url: '/', tags }))),
  );
  const own: Route = route({
    method: 'GET',
    path: '/openapi.json',
    summary: 'The routes of operators, described for programs (OpenAPI 3.1).',
    tags: ['operators'],
    policy: { ...policy, deadlineMs: RENDER_DEADLINE_MS, since: '1.1.0', extension: true },
    conditional: true,
    reply: OpenApiDocument,
    handle: (call) => sendDocument(call, json(), PRIVATE_FILE),
  });
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
