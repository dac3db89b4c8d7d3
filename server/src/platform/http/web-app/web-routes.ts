import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import { escapeHtml } from '#platform/escape-html.ts';
import { keepValue } from '#platform/kept-value.ts';
import { isUnchanged } from '../conditional.ts';
import { type Policy, PUBLIC_READ } from '../policy.ts';
import { type Call, type Route, route } from '../route.ts';
import { acceptedEncodings } from './accept-encoding.ts';
import { isFileName } from './media-types.ts';
import { readWebFiles, type WebFile, type WebFiles } from './read-web-files.ts';
import { createWebPage, NOTHING_CSP, type PageConfig, pageCsp, type WebPage } from './web-page.ts';

export type WebAppOptions = {
  /** The folder of the build. It is read at the first request and kept; a new build needs a restart. */
  readonly dir: string;
  readonly publicApiUrl: string;
  readonly publicWebUrl: string;
  readonly page: Omit<PageConfig, 'apiUrl'>;
  readonly clock: Pick<Clock, 'monotonic'>;
};

type WebApp = {
  readonly files: WebFiles;
  /** The first parts of the file names: below these there are files and no pages. */
  readonly folders: ReadonlySet<string>;
  readonly page: WebPage;
  readonly links: string;
};

const BASE = '/app';
const INDEX = 'index.html';
/** Files with the address of the web host, which the build does not know. */
const WEB_URL = '__PUBLIC_WEB_URL__';
const FILLED = new Set(['opensearch.xml']);
const HASHED = 'assets/';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';
/** How long a missing build is remembered before the folder is read again. */
const ABSENT_MS = 1_000;

const NOT_BUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Dashboard not built</title><p>The dashboard is not built on this server: run <code>npm run build</code>, then load this page again. The API works without it.</p></html>';

/**
 * The dashboard is not part of the contract, so no description lists it; the transport rules still apply. A page
 * loads about twenty files, so no limit counts them: each is one map lookup. It is shed as late as a check, because
 * people open it when something is wrong, but has a class of its own: its readers never take a place from a check.
 */
const POLICY: Policy = { ...PUBLIC_READ, surface: 'api', meter: 'none', class: 'pages', extension: true };

/** `/` and everything below `/app`. The path of a page may contain an indicator, so only its template is logged. */
export function webAppRoutes(options: WebAppOptions): readonly Route[] {
  const load = keepBuilt(options);
  const rootOf = rootAddress(options);
  const serve = async (call: Call, name: string): Promise<Buffer | string | undefined> => {
    const app = await load();
    secure(call.reply);
    if (app === null) return sayNotBuilt(call.reply);
    const file = app.files.get(name);
    if (file !== undefined && name !== INDEX) return sendFile(call, file, name);
    if (isMissingFile(app, name)) throw new ServiceError('Not Found', 'There is no such file.');
    return sendPage(call.reply, app);
  };
  const page = (path: string, handle: (call: Call) => unknown): Route =>
    route({
      method: 'GET',
      path,
      summary: 'The dashboard.',
      tags: ['dashboard'],
      policy: POLICY,
      conditional: true,
      otherStatuses: { 302: 'The address of the dashboard.', 404: 'There is no such file.' },
      reply: z.unknown(),
      handle,
    });
  return [
    page('/', ({ request, reply }) => {
      reply.code(302).header('location', rootOf(request.host)).header('cache-control', 'no-store');
      return undefined;
    }),
    page(BASE, (call) => serve(call, '')),
    page(`${BASE}/*`, (call) => serve(call, restOf(call))),
    page(`${BASE}/${HASHED}*`, (call) => serve(call, HASHED + restOf(call))),
  ];
}

const restOf = ({ request }: Call): string => (request.params as { readonly '*': string })['*'];

/** A build is kept once it was read; until then the folder is read again. */
function keepBuilt(options: WebAppOptions): () => Promise<WebApp | null> {
  let built: WebApp | null = null;
  const look = keepValue({ clock: options.clock, freshMs: ABSENT_MS, load: () => readWebApp(options) });
  return async () => {
    built ??= await look();
    return built;
  };
}

async function readWebApp({ dir, page, publicApiUrl, publicWebUrl }: WebAppOptions): Promise<WebApp | null> {
  const webUrl = publicWebUrl.replace(/(?<!\/)\/+$/, '');
  const files = await readWebFiles(dir, (name, bytes) =>
    FILLED.has(name)
      ? Buffer.from(bytes.toString('utf8').replaceAll(WEB_URL, () => escapeHtml(webUrl)))
      : bytes,
  );
  const index = files?.get(INDEX);
  if (files === null || index === undefined) return null;
  const template = index.bytes.toString('utf8');
  const config = { apiUrl: publicApiUrl.replace(/(?<!\/)\/+$/, ''), ...page };
  return {
    files,
    folders: new Set([...files.keys()].map(folderOf)),
    page: createWebPage(template, config),
    links: preloads(files, template),
  };
}

/** Preloads the files that the first paint waits for: the entry script and the two fonts of the text. */
function preloads(files: WebFiles, template: string): string {
  const entry = /<script\b[^<>]*\bsrc="(\/app\/assets\/[\w.-]+\.js)"/.exec(template)?.[1];
  const fonts = [...files.keys()].filter((name) => /-latin-wght-normal-[\w-]{1,32}\.woff2$/.test(name));
  return [
    ...(entry === undefined ? [] : [`<${entry}>; rel=modulepreload; as=script`]),
    ...fonts
      .slice(0, 2)
      .map((name) => `<${BASE}/${name}>; rel=preload; as=font; type="font/woff2"; crossorigin`),
  ].join(', ');
}

/** A host that serves only the API redirects to the web host. */
function rootAddress({ publicApiUrl, publicWebUrl }: WebAppOptions): (host: string) => string {
  const api = new URL(publicApiUrl);
  const web = new URL(publicWebUrl);
  return (host) => (api.host !== web.host && host === api.host ? `${web.origin}${BASE}/` : `${BASE}/`);
}

/** A page may have any path, dots included, except a path among the files or a file name at the top level. */
function isMissingFile({ folders }: WebApp, name: string): boolean {
  const folder = folderOf(name);
  if (folder === '') return name !== INDEX && (isFileName(name) || folders.has(`${name}/`));
  return folder === HASHED || folders.has(folder);
}

const folderOf = (name: string): string => name.slice(0, name.indexOf('/') + 1);

async function sendFile(call: Call, file: WebFile, name: string): Promise<Buffer | undefined> {
  const { request, reply } = call;
  const compressed = await file.compressed;
  const encoding = acceptedEncodings(request.headers['accept-encoding']).find(
    (wanted) => compressed[wanted] !== undefined,
  );
  reply.header('vary', 'accept-encoding').type(file.mediaType);
  const etag = `"${file.hash}${encoding === undefined ? '' : `-${encoding}`}"`;
  if (isUnchanged(call, etag, name.startsWith(HASHED) ? IMMUTABLE : REVALIDATED)) return undefined;
  if (encoding === undefined) return file.bytes;
  reply.header('content-encoding', encoding);
  return compressed[encoding];
}

function sendPage(reply: FastifyReply, { page, links }: WebApp): string {
  const { text, nonce } = page.html();
  reply
    .type('text/html; charset=utf-8')
    // A cached page would carry a nonce that others know.
    .header('cache-control', 'no-store')
    .header('content-security-policy', pageCsp(nonce))
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  if (links !== '') reply.header('link', links);
  return text;
}

function sayNotBuilt(reply: FastifyReply): string {
  reply
    .code(503)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', NOTHING_CSP);
  return NOT_BUILT;
}

/** Headers of every answer below /app. No other site may read them, so the CORS headers are removed. */
function secure(reply: FastifyReply): void {
  reply
    .removeHeader('access-control-allow-origin')
    .removeHeader('access-control-expose-headers')
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin');
}
