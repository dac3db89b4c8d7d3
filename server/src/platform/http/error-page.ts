import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '#platform/errors.ts';
import { escapeHtml } from '#platform/escape-html.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 15vh auto 0; max-width: 34rem; padding: 0 1.5rem; font: 400 16px/24px system-ui, sans-serif;
  background: light-dark(#faf9f6, #101317); color: light-dark(#1a1d21, #eceef0); }
h1 { font-size: 1.5rem; line-height: 2rem; margin: 0 0 0.5rem; }
a { color: light-dark(#0e5963, #7cc7cf); }
small { color: light-dark(#626a73, #929aa3); }
`;

/** Allows the style of the page and nothing else: it loads no file, because the service may not be able to send one. */
const ERROR_PAGE_CSP = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Reports whether a person opened a page of ours in a browser. Programs do not name text/html in Accept. */
export function isOpenedByPerson(request: FastifyRequest): boolean {
  if (request.method !== 'GET' || request.headers.accept?.includes('text/html') !== true) return false;
  const route = request.exchange?.mounted.route;
  return route?.policy.class === 'pages' || route?.produces?.startsWith('text/html') === true;
}

/** The error as a page of its own, with the same words as the JSON of programs. */
export function errorPage(
  error: ServiceError,
  requestId: string,
): { readonly html: string; readonly csp: string } {
  const isTemporary = error.status === 503 || error.status === 429;
  const next = isTemporary
    ? '<p><a href="">Try again</a></p>'
    : '<p><a href="/app/">Dashboard</a> · <a href="/docs">API reference</a></p>';
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(error.code)} · Assay</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(error.code)}</h1>
<p>${escapeHtml(error.message)}</p>
${next}
<p><small>Status ${error.status}. Request id ${escapeHtml(requestId)}.</small></p>
</main>
</body>
</html>
`;
  return { html, csp: ERROR_PAGE_CSP };
}
