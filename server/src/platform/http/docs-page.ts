import { hash } from 'node:crypto';
import { escapeHtml } from '#platform/escape-html.ts';
import { curlExample } from './docs-example.ts';
import { DOCS_STYLE } from './docs-style.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Description, Operation, Parameter } from './openapi.ts';
import type { Answer } from './openapi-answer.ts';

/** Only our own style sheet may load, and no page may frame this one. */
export const DOCS_CSP = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', DOCS_STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NESTING_MAX = 3;

/** Renders the reference as one page without scripts, from the same description that programs read. */
export function renderDocs(description: Description): string {
  const operations = listed(description);
  const tags = description.tags.map(({ name }) => name);
  const schemas = Object.entries(description.components.schemas ?? {}) as [string, JsonSchema][];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(description.info.title)} reference</title>
<style>${DOCS_STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<div class="page">
<nav aria-label="Contents">
<a href="#top"><strong>${text(description.info.title)}</strong></a>
${tags.map((tag) => contents(tag, operations)).join('\n')}
<h2>Shapes</h2>
<ul>${schemas.map(([name]) => `<li><a href="#${anchor(name)}"><span class="path">${text(name)}</span></a></li>`).join('')}</ul>
</nav>
<main id="main">
<header id="top">
<h1>${text(description.info.title)} reference</h1>
<p>${text(description.info.description)} Version ${text(description.info.version)}. The same description for programs: <a href="openapi.json">openapi.json</a>.</p>
</header>
${authentication(description)}
${tags
  .map(
    (tag) =>
      `<section><h2>${text(tag)}</h2>${inTag(tag, operations)
        .map((each) => article(description, each))
        .join('\n')}</section>`,
  )
  .join('\n')}
<section><h2>Shapes</h2>${schemas.map(([name, schema]) => shape(name, schema)).join('\n')}</section>
</main>
</div>
</body>
</html>
`;
}

type Listed = { readonly path: string; readonly method: string; readonly operation: Operation };

const listed = ({ paths }: Description): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      method === 'head' ? [] : [{ path, method, operation }],
    ),
  );

const inTag = (tag: string, operations: readonly Listed[]): Listed[] =>
  operations.filter(({ operation }) => operation.tags[0] === tag);

const contents = (tag: string, operations: readonly Listed[]): string => {
  const here = inTag(tag, operations);
  if (here.length === 0) return '';
  const links = here.map(
    ({ path, method, operation }) =>
      `<li><a href="#${anchor(operation.operationId)}">${badge(method)}<span class="path">${text(path)}</span></a></li>`,
  );
  return `<h2>${text(tag)}</h2><ul>${links.join('')}</ul>`;
};

const badge = (method: string): string =>
  `<span class="method ${anchor(method)}">${text(method.toUpperCase())}</span>`;

function authentication(description: Description): string {
  const schemes = Object.entries(description.components.securitySchemes ?? {}) as [
    string,
    Record<string, string>,
  ][];
  const rows = schemes.map(
    ([name, scheme]) =>
      `<tr><td><code>${text(name)}</code></td><td>${text(scheme.in === undefined ? `HTTP ${scheme.scheme}` : `${scheme.in} ${scheme.name}`)}</td><td>${text(scheme.description)}</td></tr>`,
  );
  return `<section><h2>Authentication</h2><article><div class="scroll"><table><thead><tr><th>Way</th><th>Where</th><th>What</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
<p class="lead">Every error is <a href="#${anchor('Error')}">one form</a>. Every answer to a known caller carries the limit headers; <code>X-RateLimit-Reset</code> is in milliseconds since the epoch. Every GET also answers HEAD, without the body and without spending a check.</p></article></section>`;
}

function article(description: Description, { path, method, operation }: Listed): string {
  const id = anchor(operation.operationId);
  return `<article id="${id}">
<h3>${badge(method)}<a href="#${id}">${text(path)}</a></h3>
<p>${text(operation.summary)}</p>
${operation.description === undefined ? '' : `<p class="lead">${prose(operation.description)}</p>`}
${warnings(operation)}
${facts(operation)}
${parameterTable(operation.parameters ?? [])}
${Object.entries(operation.requestBody?.content ?? {})
  .map(([type, { schema }]) => `<h4>Body · ${text(type)}</h4>${schemaTable(schema)}`)
  .join('')}
${Object.entries(operation.responses)
  .map(([status, answer]) => answerTable(status, answer))
  .join('')}
${failures(description, operation)}
<h4>Example</h4>
<pre><code>${text(curlExample(description, path, method, operation))}</code></pre>
</article>`;
}

function warnings(operation: Operation): string {
  const { deprecated } = operation['x-assay-policy'] as { deprecated?: { at: string; sunset: string } };
  const old = deprecated
    ? `<p class="warn">Deprecated since ${text(deprecated.at)}; answers until ${text(deprecated.sunset)}.</p>`
    : '';
  return (
    old +
    (operation['x-assay-extension'] ? '<p class="warn">An extension: beyond the common interface.</p>' : '')
  );
}

function facts(operation: Operation): string {
  const policy = operation['x-assay-policy'];
  const said: readonly (readonly [string, unknown])[] = [
    ['access', policy.auth],
    ['plan', policy.plan === 'any' ? undefined : `${String(policy.plan)} and above`],
    ['role', Array.isArray(policy.role) ? policy.role.join(' or ') : undefined],
    ['organization', policy.organization === true ? 'needed' : undefined],
    ['licence', policy.licence === true ? 'needed' : undefined],
    ['meter', policy.meter],
    ['cost', policy.cost],
    ['body', operation.requestBody === undefined ? undefined : `up to ${String(policy.bodyMax)} bytes`],
    ['time', `up to ${Number(policy.deadlineMs) / 1_000} s`],
    ['idempotent', policy.idempotent === true ? 'Idempotency-Key' : undefined],
    ['since', policy.since],
  ];
  const shown = said.filter(([, value]) => value !== undefined);
  return `<ul class="facts">${shown.map(([name, value]) => `<li>${text(name)} <b>${text(value)}</b></li>`).join('')}</ul>`;
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    (parameter) =>
      `<tr><td><code>${text(parameter.name)}</code>${need(parameter.required)}</td><td>${text(parameter.in)}</td><td>${typeOf(parameter.schema)}</td><td>${prose(parameter.description)} ${bounds(parameter.schema)}</td></tr>`,
  );
  return `<h4>Parameters</h4><div class="scroll"><table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function answerTable(status: string, answer: Answer | { $ref: string }): string {
  if ('$ref' in answer) return '';
  const content = Object.entries(answer.content ?? {});
  if (content.length === 0) return `<h4>Answer ${text(status)}</h4><p>No body.</p>`;
  return content
    .map(([type, { schema }]) => `<h4>Answer ${text(status)} · ${text(type)}</h4>${schemaTable(schema)}`)
    .join('');
}

function failures(description: Description, operation: Operation): string {
  const components = (description.components.responses ?? {}) as Record<string, Answer>;
  const rows = Object.entries(operation.responses).flatMap(([status, answer]) => {
    if (!('$ref' in answer)) return [];
    const said = components[answer.$ref.split('/').at(-1) ?? ''];
    return [`<tr><td><code>${text(status)}</code></td><td>${text(said?.description)}</td></tr>`];
  });
  return `<h4>Errors</h4><div class="scroll"><table><tbody>${rows.join('')}</tbody></table></div>`;
}

const shape = (name: string, schema: JsonSchema): string =>
  `<article id="${anchor(name)}"><h3><a href="#${anchor(name)}">${text(name)}</a></h3>${schemaTable(schema)}</article>`;

function schemaTable(schema: JsonSchema): string {
  const rows = schemaRows(schema, 0);
  if (rows.length === 0) return `<p>${typeOf(schema)} ${prose(schema.description)} ${bounds(schema)}</p>`;
  const said =
    typeof schema.description === 'string' ? `<p class="lead">${prose(schema.description)}</p>` : '';
  return `${said}<div class="scroll"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function schemaRows(schema: JsonSchema, depth: number): string[] {
  const holder = schema.type === 'array' ? ((schema.items ?? {}) as JsonSchema) : schema;
  const required = (holder.required ?? []) as readonly string[];
  const properties = Object.entries((holder.properties ?? {}) as Record<string, JsonSchema>);
  return properties.flatMap(([name, part]) => [
    `<tr><td class="in${depth}"><code>${text(name)}</code>${need(required.includes(name))}</td><td>${typeOf(part)}</td><td>${prose(part.description)} ${bounds(part)}</td></tr>`,
    ...(depth < NESTING_MAX ? schemaRows(part, depth + 1) : []),
  ]);
}

const need = (required: boolean): string => (required ? '<span class="need">required</span>' : '');

function typeOf(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="#${anchor(name)}">${text(name)}</a>`;
  }
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) as JsonSchema[] | undefined;
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  if (schema.const !== undefined) return `<code>${text(JSON.stringify(schema.const))}</code>`;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `<code>${text(value)}</code>`).join(' ');
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as JsonSchema)}`;
  return text(schema.type ?? 'any');
}

const BOUNDS = {
  default: 'default',
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'characters at least',
  maxLength: 'characters at most',
  maxItems: 'entries at most',
} as const;

const bounds = (schema: JsonSchema): string => {
  const said = Object.entries(BOUNDS).flatMap(([key, words]) =>
    schema[key] === undefined || Math.abs(Number(schema[key])) === Number.MAX_SAFE_INTEGER
      ? []
      : [`${words} ${JSON.stringify(schema[key])}`],
  );
  return said.length === 0 ? '' : `<span class="more">${text(`${said.join(', ')}.`)}</span>`;
};

/** Escapes every text that is not our own markup. */
export const text = (value: unknown): string => {
  const plain = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return escapeHtml(plain);
};

const prose = (value: unknown): string => text(value).replace(/`([^`]+)`/g, '<code>$1</code>');

const anchor = (name: string): string => name.replace(/[^\w-]/g, '-');
