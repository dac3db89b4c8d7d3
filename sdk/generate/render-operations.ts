import type { Description, Operation } from '../../server/src/platform/http/openapi.ts';
import type { Parameter } from '../../server/src/platform/http/openapi-parameters.ts';
import { renderComment, renderField, renderType, type Schema } from './render-type.ts';

const HEAD = `// Written by \`npm run sdk:generate\` from the description of the API. Do not edit.

import type * as S from './schemas.ts';
`;
const SENT = { direction: 'sent', prefix: 'S.' } as const;
const ANSWERED = { direction: 'answered', prefix: 'S.' } as const;

/** Set by the client itself, so that a retried write is carried out once. */
const SET_BY_CLIENT = 'Idempotency-Key';
/** Headers without a place in the types of the client: it sets the first, and always reads whole answers. */
const LEFT_OUT = new Set([SET_BY_CLIENT, 'If-None-Match', 'Range', 'If-Range']);

type Listed = { readonly method: string; readonly path: string; readonly operation: Operation };
type Policy = {
  readonly surface: string;
  readonly deadlineMs: number;
  readonly meter: string;
  readonly cost?: string;
};

export function renderOperations({ paths }: Pick<Description, 'paths'>): string {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    // Skips HEAD, which has no body, and redirects, which lead a browser to a page: the client reads bodies.
    Object.entries(methods).flatMap(([method, operation]): Listed[] =>
      method === 'head' || isRedirect(operation) ? [] : [{ method, path, operation }],
    ),
  );
  return [
    HEAD,
    `export type Operations = {\n${all.map(renderTypes).join('')}};\n`,
    `export const OPERATIONS = {\n${all.map(renderEntry).join('')}} as const;\n`,
  ].join('\n');
}

const isRedirect = ({ responses }: Operation): boolean =>
  Object.keys(responses).some((status) => status.startsWith('3')) &&
  !Object.keys(responses).some((status) => status.startsWith('2'));

function renderTypes({ method, path, operation }: Listed): string {
  const fields = [
    ...(['path', 'query', 'header'] as const).map((place) => renderPlace(operation, place)),
    renderBody(operation),
    `    ${renderField('reply', true, replyOf(operation).type, ANSWERED)}\n`,
  ];
  const title = `\`${method.toUpperCase()} ${path}\`: ${operation.summary}`;
  const more = [
    operation.description,
    chargeOf(operation),
    operation.deprecated && '@deprecated See the changelog for its last day.',
  ];
  const text = [title, ...more].filter((line) => typeof line === 'string').join('\n\n');
  return `${renderComment(text, '  ')}  readonly ${operation.operationId}: {\n${fields.join('')}  };\n`;
}

function renderPlace({ parameters = [] }: Operation, place: Parameter['in']): string {
  const here = parameters.filter((parameter) => parameter.in === place && !LEFT_OUT.has(parameter.name));
  if (here.length === 0) return '';
  const schema: Schema = {
    type: 'object',
    properties: Object.fromEntries(
      here.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    ),
    required: here.filter(({ required }) => required).map(({ name }) => name),
  };
  const isRequired = here.some(({ required }) => required);
  const name = place === 'header' ? 'headers' : place;
  return `    ${renderField(name, isRequired, renderType(schema, SENT, '    '), SENT)}\n`;
}

function renderBody({ operationId, requestBody }: Operation): string {
  if (requestBody === undefined) return '';
  const json = requestBody.content['application/json'];
  if (json === undefined)
    throw new Error(`${operationId} takes a body that is not JSON, which the client cannot send yet.`);
  return `    ${renderField('body', requestBody.required, renderType(json.schema, SENT, '    '), SENT)}\n`;
}

type Reply = { readonly kind: 'json' | 'text' | 'bytes' | 'events' | 'none'; readonly type: string };

function replyOf({ operationId, responses }: Operation): Reply {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  if (success === undefined || '$ref' in success) throw new Error(`${operationId} has no answer.`);
  const contents = Object.entries(success.content ?? {});
  const [first] = contents;
  if (first === undefined) return { kind: 'none', type: 'undefined' };
  const type = renderType(first[1].schema, ANSWERED, '    ');
  if (first[0].startsWith('text/event-stream')) return { kind: 'events', type };
  if (first[0] === 'application/octet-stream') return { kind: 'bytes', type: 'Uint8Array' };
  if (type === 'string') return { kind: 'text', type };
  if (contents.some(([media]) => /^application\/(?:\w+\+)?json\b/.test(media))) return { kind: 'json', type };
  throw new Error(`${operationId} answers ${first[0]}, which the client cannot read yet.`);
}

const policyOf = (operation: Operation): Policy => operation['x-assay-policy'] as unknown as Policy;

function chargeOf(operation: Operation): string {
  const { meter, cost } = policyOf(operation);
  if (meter === 'checks') return `Charges checks of the month: ${cost ?? '1'}. And one request of the burst.`;
  if (meter === 'scans') return `Charges scans of the month: ${cost ?? '1'}.`;
  if (meter === 'burst') return 'Charges one request of the burst.';
  return 'Free of charge.';
}

function renderEntry({ method, path, operation }: Listed): string {
  const { surface, deadlineMs } = policyOf(operation);
  const isIdempotent = (operation.parameters ?? []).some(({ name }) => name === SET_BY_CLIENT);
  const parts = [
    `method: '${method.toUpperCase()}'`,
    `path: '${path}'`,
    `surface: '${surface}'`,
    `reply: '${replyOf(operation).kind}'`,
    `deadlineMs: ${deadlineMs}`,
    ...(isIdempotent ? ['takesIdempotencyKey: true'] : []),
  ];
  return `  ${operation.operationId}: { ${parts.join(', ')} },\n`;
}
