import type { JsonSchema } from './json-schema.ts';
import type { Description, Operation, Parameter } from './openapi.ts';

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
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || hasExample(parameter.schema)))
    .map((parameter) => `${parameter.name}=${encodeURIComponent(String(sample(parameter.schema, schemas)))}`)
    .join('&');
  const base = (operation.servers ?? description.servers)[0]?.url ?? '';
  const url = `${base}${filled}${query === '' ? '' : `?${query}`}`;
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quoted(url)}`];
  // Double quotes, so that the shell expands the credential.
  if (operation.security.some((scheme) => 'apiKey' in scheme))
    lines.push(`  -H "X-API-KEY: $ASSAY_CREDENTIAL"`);
  else if (operation.security.some((scheme) => 'session' in scheme))
    lines.push(`  -H "Cookie: $ASSAY_SESSION" -H ${quoted(`Origin: ${base}`)}`);
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type !== undefined && content !== undefined) {
    lines.push(`  -H ${quoted(`Content-Type: ${type}`)}`);
    lines.push(`  -d ${quoted(JSON.stringify(sample(content.schema, schemas)))}`);
  }
  return lines.join(' \\\n');
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

export function sample(schema: JsonSchema, schemas: Components, depth = 0): unknown {
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
