import { hash } from 'node:crypto';
import { CREDENTIAL_WAYS, NOT_BEARER } from './credential-words.ts';
import { curlExample } from './docs-example.ts';
import { badge, codeFigure, type ListedRoute, routeArticle } from './docs-route.ts';
import { anchor, schemaTable, text } from './docs-schema.ts';
import { DOCS_SCRIPT, THEME_SCRIPT } from './docs-script.ts';
import { type DocsFonts, docsStyle } from './docs-style.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Description } from './openapi.ts';

export type DocsOptions = {
  /** Where the dashboard is, as a link from this page. */
  readonly dashboardUrl: string;
  readonly fonts: DocsFonts;
};
export type DocsPage = { readonly html: string; readonly csp: string };

const MARK =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="6" fill="#1A1D21"/><path d="M16 6 26 25H6Z" fill="none" stroke="#FAF9F6" stroke-width="2.6" stroke-linejoin="round"/><path d="M10.6 18h10.8" stroke="#FAF9F6" stroke-width="2.6"/></svg>';

/**
 * Renders the reference as one page, from the same description that programs read. It is complete without script. Its
 * Content-Security-Policy allows its own two scripts and its style by their hashes, the fonts of this host, and nothing
 * else.
 */
export function renderDocs(description: Description, { dashboardUrl, fonts }: DocsOptions): DocsPage {
  const style = docsStyle(fonts);
  const title = `${text(description.info.title)} API reference`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<script>${THEME_SCRIPT}</script>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<header class="bar">
<a class="brand" href="#top">${MARK}<span>${title}</span></a>
<form id="search" role="search" hidden>
<input type="search" name="q" aria-label="Search routes" placeholder="Search routes, parameters, words" autocomplete="off" spellcheck="false" maxlength="100">
<kbd aria-hidden="true">/</kbd><span id="count" role="status"></span>
</form>
<a class="home" href="${text(dashboardUrl)}">Dashboard</a>
</header>
<p id="said" class="hidden-text" role="status"></p>
<div class="page">
${navigation(description)}
<main id="main" tabindex="-1">
<h1 id="top">${title}</h1>
<p class="lead">${text(description.info.description)} Version ${text(description.info.version)}. The same description for programs: <a href="openapi.json">openapi.json</a>.</p>
${firstMinutes(description)}
${rules()}
${routeSections(description)}
${shapeSection(description)}
</main>
</div>
<script>${DOCS_SCRIPT}</script>
</body>
</html>
`;
  return { html, csp: policyOf(style, fonts) };
}

const policyOf = (style: string, fonts: DocsFonts): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(THEME_SCRIPT)} ${hashOf(DOCS_SCRIPT)}`,
    `style-src ${hashOf(style)}`,
    ...(fonts.sans === undefined && fonts.mono === undefined ? [] : ["font-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const hashOf = (source: string): string => `'sha256-${hash('sha256', source, 'base64')}'`;

const listedRoutes = ({ paths }: Description): ListedRoute[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      method === 'head' ? [] : [{ path, method, operation }],
    ),
  );

/** The routes by their first tag, in the order of the tags; a tag without routes of its own is left out. */
function groupsOf(description: Description): readonly (readonly [string, readonly ListedRoute[]])[] {
  const routes = listedRoutes(description);
  return description.tags
    .map(({ name }) => [name, routes.filter(({ operation }) => operation.tags[0] === name)] as const)
    .filter(([, listed]) => listed.length > 0);
}

const schemasOf = ({ components }: Description): [string, JsonSchema][] =>
  Object.entries(components.schemas ?? {}) as [string, JsonSchema][];

/** `threat-intel` as a heading: `Threat intel`. */
const headingOf = (tag: string): string => {
  const words = tag.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function navigation(description: Description): string {
  const groups = groupsOf(description).map(([tag, listed]) => {
    const links = listed.map(
      ({ path, method, operation }) =>
        `<li><a href="#${anchor(operation.operationId)}">${badge(method)}<span class="path">${text(path)}</span></a></li>`,
    );
    return `<div class="group"><h2>${text(headingOf(tag))}</h2><ul>${links.join('')}</ul></div>`;
  });
  const shapes = schemasOf(description).map(
    ([name]) => `<li><a href="#${anchor(name)}"><span class="path">${text(name)}</span></a></li>`,
  );
  return `<nav aria-label="Routes">
${groups.join('\n')}
<details class="group"><summary>Shapes (${shapes.length})</summary><ul>${shapes.join('')}</ul></details>
</nav>`;
}

/** Shows the first route that takes a key, as the first thing to try. */
function firstMinutes(description: Description): string {
  const key = `export ASSAY_KEY=$(printf '%s' 'apiKey:apiSecret' | base64 | tr -d '\\n')`;
  const first = listedRoutes(description).find(
    ({ method, operation }) => method === 'get' && operation.security.some((each) => 'apiKey' in each),
  );
  const command = first && curlExample(description, first.path, first.method, first.operation);
  return `<section class="guide"><h2>First minutes</h2><article><ol>
<li><p>Put your key into the environment. Whoever made it was shown its apiKey and apiSecret once.</p>${codeFigure('Shell', 'the command that stores the key', key)}</li>
${command === undefined ? '' : `<li><p>The commands on this page read it from there. This one is a first call:</p>${codeFigure('Shell', 'a first command', command)}</li>`}
</ol></article></section>`;
}

const rules =
  (): string => `<section class="guide"><h2 id="limits">Authentication, limits, errors</h2><article>
<p>Send ${text(CREDENTIAL_WAYS)}. ${text(NOT_BEARER)}</p>
<p class="lead">An answer to a known caller has its limits in the X-RateLimit headers; <code>X-RateLimit-Reset</code> is in milliseconds since the epoch. Every error has <a href="#Error">one form</a>, and a 429 says <a href="#RateLimitedError">which limit was reached</a>. Each route says what it costs: a check pays for each answer about values that you choose, the same page again within 24 hours is free, and a refused or failed request costs nothing. Every GET also answers HEAD, without the body and without spending a check. Query parameters that a route does not have are ignored and named in the header <code>X-Assay-Ignored</code>; a number outside the limits of its parameter is replaced by the nearest allowed one, and <code>X-Assay-Adjusted</code> names the parameter and the number used. Sample answers are shortened: long lists to their first entries, large answers to their main fields.</p>
</article></section>`;

const routeSections = (description: Description): string =>
  groupsOf(description)
    .map(
      ([tag, listed]) =>
        `<section class="listed"><h2>${text(headingOf(tag))}</h2>${listed
          .map((each) => routeArticle(description, each))
          .join('\n')}</section>`,
    )
    .join('\n');

const shapeSection = (description: Description): string =>
  `<section class="listed"><h2>Shapes</h2>${schemasOf(description)
    .map(
      ([name, schema]) =>
        `<article id="${anchor(name)}"><h3><a href="#${anchor(name)}">${text(name)}</a></h3>${schemaTable(schema)}</article>`,
    )
    .join('\n')}</section>`;
