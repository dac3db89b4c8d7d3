import type { Description, Operation } from './openapi.ts';
import { asOpenApi30 } from './openapi-30.ts';
import type { Answer, Reference } from './openapi-answer.ts';
import { type Components, usedComponents } from './openapi-components.ts';

/** One operation of the short description, in words for the place where tools show it. */
export type Action = {
  readonly summary: string;
  readonly description: string;
  /** True where a call changes something; assistants then ask before they call it. */
  readonly changes?: boolean;
};

/** The versions of OpenAPI that the short description exists in: few automation tools read 3.1. */
export const ACTION_VERSIONS = ['3.0', '3.1'] as const;
export type ActionVersion = (typeof ACTION_VERSIONS)[number];

/** Answers that a workflow can act on. The others mean that the call itself was wrong or has to wait. */
const KEPT_FAILURES = new Set(['400', '401', '403', '404', '409', '429', '503']);
/** Automation tools have one place for a credential, which is the header of the key. */
const SECURITY = [{ apiKey: [] }];

/** The description cut down to some operations, without examples, headers and whatever else automation tools do not use. */
export function describeActions(
  whole: Description,
  actions: Readonly<Record<string, Action>>,
  version: ActionVersion,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, methods] of Object.entries(whole.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const action = actions[operation.operationId];
      if (action !== undefined) paths[path] = { ...paths[path], [method]: trimmed(operation, action) };
    }
  const tags = new Set(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => (operation as Operation).tags),
    ),
  );
  const short = {
    openapi: '3.1.0',
    info: {
      ...whole.info,
      title: `${whole.info.title} actions`,
      description: `${whole.info.description} The most used operations, for automation tools and assistants.`,
    },
    servers: whole.servers.slice(0, 1),
    tags: whole.tags.filter(({ name }) => tags.has(name)),
    paths,
    components: usedComponents(withoutHeaders(whole.components), paths),
  };
  return version === '3.1' ? short : asOpenApi30(short);
}

function trimmed(operation: Operation, { summary, description, changes = false }: Action) {
  const { operationId, tags, parameters = [], requestBody, responses } = operation;
  const json = requestBody?.content['application/json'];
  const kept = parameters.filter((parameter) => parameter.in !== 'header');
  return {
    operationId,
    summary,
    description,
    tags,
    security: SECURITY,
    ...(kept.length > 0 && { parameters: kept }),
    ...(json !== undefined && {
      requestBody: {
        required: requestBody?.required ?? false,
        content: { 'application/json': { schema: json.schema } },
      },
    }),
    responses: Object.fromEntries(
      Object.entries(responses)
        .filter(([status]) => status.startsWith('2') || KEPT_FAILURES.has(status))
        .map(([status, answer]) => [status, '$ref' in answer ? answer : short(answer)]),
    ),
    // Read by assistants of OpenAI, which otherwise ask before every call that is no GET.
    'x-openai-isConsequential': changes,
  };
}

/** Description and JSON body of an answer. */
function short({ description, content = {} }: Answer): Answer {
  const json = content['application/json'];
  return {
    description,
    ...(json !== undefined && { content: { 'application/json': { schema: json.schema } } }),
  };
}

const withoutHeaders = ({ headers: _headers, responses = {}, ...rest }: Components): Components => ({
  ...rest,
  responses: Object.fromEntries(
    Object.entries(responses).map(([name, answer]) => [
      name,
      '$ref' in (answer as Reference | Answer) ? answer : short(answer as Answer),
    ]),
  ),
});
