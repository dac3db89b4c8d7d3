import type { JsonSchema } from './json-schema.ts';
import type { Description, Operation } from './openapi.ts';
import type { Content } from './openapi-answer.ts';
import type { Parameter } from './openapi-parameters.ts';

type Components = Readonly<Record<string, unknown>>;
const DEPTH_MAX = 4;

/** A command that runs unchanged once the credential is in the environment. */
export function curlExample(
  description: Description,
  path: string,
  method: string,
  operation: Operation,
): string {
  const schemas = description.components.schemas ?? {};
  const parameters = operation.parameters ?? [];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(sampleOf(parameters, 'path', name, schemas)),
  );
  const query = queryOf(parameters, operation.requestBody !== undefined)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(String(sample(parameter.schema, schemas)))}`)
    .join('&');
  const base = (operation.servers ?? description.servers)[0]?.url ?? '';
  const url = `${base}${filled}${query === '' ? '' : `?${query}`}`;
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quoted(url)}`];
  lines.push(...credentialLines(operation, method, base));
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type !== undefined && content !== undefined) {
    lines.push(`  -H ${quoted(`Content-Type: ${type}`)}`);
    lines.push(`  -d ${quoted(JSON.stringify(sample(content.schema, schemas)))}`);
  }
  return lines.join(' \\\n');
}

/** Double quotes, so that the shell expands the credential. */
function credentialLines({ security, parameters = [] }: Operation, method: string, base: string): string[] {
  const takes = (scheme: string): boolean => security.some((each) => scheme in each);
  const licence = parameters
    .filter(({ in: where, required }) => where === 'header' && required)
    .map(({ name }) => `  -H "${name}: $ASSAY_LICENCE"`);
  if (takes('apiKey')) return [`  -H "X-API-KEY: $ASSAY_KEY"`, ...licence];
  if (!takes('session')) return licence;
  // Signing in needs no session yet, only the origin of the dashboard.
  const isSigningIn = method === 'post' && security.some((each) => Object.keys(each).length === 0);
  const cookie = isSigningIn ? '' : ' -H "Cookie: $ASSAY_SESSION"';
  return [` ${cookie} -H ${quoted(`Origin: ${base}`)}`];
}

/** The required parameters; without any, the first that has an example, unless the body says what is asked. */
function queryOf(parameters: readonly Parameter[], hasBody: boolean): readonly Parameter[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const required = inQuery.filter((parameter) => parameter.required);
  if (required.length > 0 || hasBody) return required;
  return inQuery.filter(({ schema }) => hasExample(schema)).slice(0, 1);
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const hasExample = (schema: JsonSchema): boolean => Array.isArray(schema.examples);

function sampleOf(
  parameters: readonly Parameter[],
  where: string,
  name: string,
  schemas: Components,
): string {
  const parameter = parameters.find((each) => each.in === where && each.name === name);
  return String(sample(parameter?.schema ?? { type: 'string' }, schemas));
}

/** The answer to show: a recorded one where there is one, else one made from the schema. Null without a body. */
const exampleOf = (content: Content[string]): unknown => content.example ?? content['x-assay-sample'];

/** The status of the answer that a caller expects: the one with a sample, or else the first below 400. */
export function usualStatus({ responses }: Operation): string {
  const successes = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  const sampled = successes.find(
    ([, answer]) =>
      !('$ref' in answer) &&
      Object.values(answer.content ?? {}).some((content) => exampleOf(content) !== undefined),
  );
  return (sampled ?? successes[0])?.[0] ?? '200';
}

export function answerExample(
  { components }: Description,
  operation: Operation,
): { readonly type: string; readonly text: string } | null {
  const success = operation.responses[usualStatus(operation)];
  const answer = success === undefined || '$ref' in success ? undefined : success;
  const [type, content] = Object.entries(answer?.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return null;
  const isJson = type.startsWith('application/json');
  const value = exampleOf(content) ?? (isJson ? sample(content.schema, components.schemas ?? {}) : undefined);
  if (value === undefined) return null;
  return { type, text: typeof value === 'string' ? value.trimEnd() : readableJson(value) };
}

const LINE_MAX = 80;

/** JSON in which a list or an object stands on one line where it fits. */
export function readableJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each) => readableJson(each, inner))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${readableJson(each, inner)}`);
  const [open, close, gap] = isList ? ['[', ']', ''] : ['{', '}', parts.length === 0 ? '' : ' '];
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`;
  // A line end inside a text is escaped, so one here comes from a part that did not fit.
  if (indent.length + line.length <= LINE_MAX && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

function sample(schema: JsonSchema, schemas: Components, depth = 0): unknown {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return depth > DEPTH_MAX ? null : sample((schemas[name] ?? {}) as JsonSchema, schemas, depth + 1);
  }
  const given = [
    Array.isArray(schema.examples) ? schema.examples[0] : undefined,
    schema.const,
    schema.default,
    Array.isArray(schema.enum) ? schema.enum[0] : undefined,
  ].find((value) => value !== undefined);
  if (given !== undefined) return given;
  const choice = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray)?.[0] as
    | JsonSchema
    | undefined;
  if (choice !== undefined) return sample(choice, schemas, depth + 1);
  if (schema.type === 'object') return sampleObject(schema, schemas, depth);
  if (schema.type === 'array')
    return depth > DEPTH_MAX ? [] : [sample((schema.items ?? {}) as JsonSchema, schemas, depth + 1)];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  return schema.type === 'string' ? 'text' : null;
}

function sampleObject(schema: JsonSchema, schemas: Components, depth: number): Record<string, unknown> {
  if (depth > DEPTH_MAX) return {};
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const shown = properties.filter(([name, part]) => required.includes(name) || hasExample(part));
  return Object.fromEntries(shown.map(([name, part]) => [name, sample(part, schemas, depth + 1)]));
}
