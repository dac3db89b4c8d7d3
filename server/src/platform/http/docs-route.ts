import { answerExample, curlExample, usualStatus } from './docs-example.ts';
import { anchor, bounds, need, prose, schemaTable, text, typeOf } from './docs-schema.ts';
import type { Description, Operation } from './openapi.ts';
import type { Answer, Reference } from './openapi-answer.ts';
import type { Parameter } from './openapi-parameters.ts';
import type { Policy } from './policy.ts';

export type ListedRoute = { readonly path: string; readonly method: string; readonly operation: Operation };

export function routeArticle(description: Description, listed: ListedRoute): string {
  const { path, method, operation } = listed;
  const id = anchor(operation.operationId);
  const isExtension = operation['x-assay-extension'] === true;
  return `<article class="route" id="${id}">
<h3>${badge(method)}<a href="#${id}">${text(path)}</a>${isExtension ? '<span class="tag">Extension</span>' : ''}</h3>
<p class="summary">${text(operation.summary)}</p>
${operation.description === undefined ? '' : `<p class="lead">${prose(operation.description)}</p>`}
${deprecation(operation)}
${facts(operation)}
${parameterTable(operation.parameters ?? [])}
${Object.entries(operation.requestBody?.content ?? {})
  .map(([type, { schema }]) => `<h4>Body, ${text(type)}</h4>${schemaTable(schema)}`)
  .join('')}
<div class="pair">
${codeFigure('Command', `the command of ${method.toUpperCase()} ${path}`, curlExample(description, path, method, operation))}
${answerFigure(description, listed)}
</div>
${successes(operation)}
${failures(description, operation)}
</article>`;
}

export const badge = (method: string): string => `<span class="method">${text(method.toUpperCase())}</span>`;

/** A focusable block, because readers without a pointer scroll it by keyboard. `of` names it for the copy button. */
export const codeFigure = (caption: string, of: string, code: string): string =>
  `<figure><figcaption data-of="${text(of)}">${text(caption)}</figcaption><pre tabindex="0" role="region" aria-label="${text(of)}"><code>${text(code)}</code></pre></figure>`;

function answerFigure(description: Description, { path, method, operation }: ListedRoute): string {
  const status = usualStatus(operation);
  const example = answerExample(description, operation);
  if (example === null) return '';
  const of = `the sample answer of ${method.toUpperCase()} ${path}`;
  return codeFigure(`Sample answer ${status}, ${example.type}`, of, example.text);
}

function deprecation(operation: Operation): string {
  const { deprecated } = operation['x-assay-policy'] as Partial<Policy>;
  return deprecated === undefined
    ? ''
    : `<p class="warn">Deprecated since ${text(deprecated.at)}; answers until ${text(deprecated.sunset)}.</p>`;
}

const CALLERS: Readonly<Record<Policy['auth'], string>> = {
  public: 'Anyone, without a credential.',
  optional: 'Anyone. A key or session is counted by its own limits.',
  lenient: 'Anyone. A credential that is not accepted counts as none.',
  key: 'A key.',
  session: 'A session of the dashboard.',
  keyOrSession: 'A key or a session of the dashboard.',
  signIn: 'A page of the dashboard.',
  operator: 'An operator.',
};

type PolicyData = Partial<Omit<Policy, 'cost'>> & { readonly cost?: string };

/** Who may call, as a sentence for each demand of the policy. */
export const callersOf = (policy: PolicyData): string =>
  [
    CALLERS[policy.auth ?? 'public'],
    policy.plan === undefined || policy.plan === 'any' ? '' : `Plan ${policy.plan} or above.`,
    policy.role === undefined ? '' : `Role ${policy.role.join(' or ')}.`,
    policy.organization === true ? 'Members of an organization.' : '',
    policy.licence === true ? 'With an active X-License-Key.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');

/** What a call spends: the meters of the policy in words. */
export function costOf({ meter = 'none', cost }: PolicyData): string {
  const units = (name: string): string =>
    cost === undefined ? ` and 1 ${name} of the month.` : `. ${name}s of the month: ${cost}.`;
  const costs: Readonly<Record<Policy['meter'], string>> = {
    none: 'Nothing.',
    public: 'Nothing. Limited by client address.',
    burst: '1 request of the burst.',
    forms: 'Nothing. Limited by the hour, for each client address.',
    downloads: 'Limited by the hour, for each key or client address.',
    checks: `1 request of the burst${units(cost === undefined ? 'check' : 'Check')}`,
    scans: `1 request of the burst${units(cost === undefined ? 'scan' : 'Scan')}`,
  };
  return costs[meter];
}

function facts(operation: Operation): string {
  const policy = operation['x-assay-policy'] as PolicyData;
  const said: readonly (readonly [string, string | undefined])[] = [
    ['Who', callersOf(policy)],
    ['Costs', costOf(policy)],
    [
      'Limits',
      [
        `Answers within ${Number(policy.deadlineMs) / 1_000} s.`,
        operation.requestBody === undefined ? '' : ` Body up to ${sizeOf(policy.bodyMax ?? 0)}.`,
      ].join(''),
    ],
    [
      'Repeats',
      policy.idempotent === true ? 'Safe to repeat with the same Idempotency-Key for a day.' : undefined,
    ],
    ['Since', policy.since],
  ];
  const rows = said.flatMap(([name, value]) =>
    value === undefined ? [] : [`<dt>${name}</dt><dd>${text(value)}</dd>`],
  );
  return `<dl class="facts">${rows.join('')}</dl>`;
}

const sizeOf = (bytes: number): string => (bytes % 1_024 === 0 ? `${bytes / 1_024} KiB` : `${bytes} bytes`);

const PLACES = { query: 'Query parameters', path: 'Path parameters', header: 'Headers' } as const;

const parameterTable = (parameters: readonly Parameter[]): string =>
  (['path', 'query', 'header'] as const)
    .map((place) => {
      const rows = parameters
        .filter((parameter) => parameter.in === place)
        .map(
          ({ name, required, description, schema }) =>
            `<tr><td><code class="name">${text(name)}</code>${need(required)}</td><td>${typeOf(schema)}</td><td>${prose(description)} ${bounds(schema)}</td></tr>`,
        );
      return rows.length === 0
        ? ''
        : `<h4>${PLACES[place]}</h4><table class="wide parameters"><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
    })
    .join('');

/** A redirect is documented as a success too. */
const isSuccess = (status: string): boolean => /^[23]/.test(status);

/** The usual answer with its fields, and a sentence for each other status below 400. */
function successes(operation: Operation): string {
  const usual = usualStatus(operation);
  return Object.entries(operation.responses)
    .filter(([status]) => isSuccess(status))
    .map(([status, answer]) =>
      status === usual || '$ref' in answer
        ? fieldsOf(status, answer)
        : `<p>Answer <code>${text(status)}</code>: ${prose(answer.description)}</p>`,
    )
    .join('');
}

function fieldsOf(status: string, answer: Answer | Reference): string {
  const content = '$ref' in answer ? [] : Object.entries(answer.content ?? {});
  if (content.length === 0) return `<h4>Answer ${text(status)}</h4><p>No body.</p>`;
  return content
    .map(
      ([type, { schema }]) =>
        `<details><summary>Fields of the answer ${text(status)}, ${text(type)}</summary>${schemaTable(schema)}</details>`,
    )
    .join('');
}

function failures(description: Description, operation: Operation): string {
  const components = (description.components.responses ?? {}) as Record<string, Answer>;
  const rows = Object.entries(operation.responses)
    .filter(([status]) => !isSuccess(status))
    .map(([status, answer]) => {
      const said = '$ref' in answer ? components[answer.$ref.split('/').at(-1) ?? ''] : answer;
      return `<tr><td><code>${text(status)}</code></td><td>${text(said?.description)}</td></tr>`;
    });
  return `<details><summary>Errors: ${text(
    Object.keys(operation.responses)
      .filter((status) => !isSuccess(status))
      .join(', '),
  )}</summary><table class="errors"><thead><tr><th>Status</th><th>When</th></tr></thead><tbody>${rows.join('')}</tbody></table></details>`;
}
