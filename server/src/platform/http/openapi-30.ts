import type { JsonSchema } from './json-schema.ts';

type Json = Readonly<Record<string, unknown>>;
/** The shared schemas by name, which say of what type a reference is. */
type Schemas = Readonly<Record<string, JsonSchema>>;

/** Keywords of JSON Schema that OpenAPI 3.0 does not have, and that only narrow what is allowed. */
const UNKNOWN = new Set(['propertyNames', 'patternProperties', 'contentEncoding', 'contentMediaType']);
const NESTED = new Set(['items', 'not', 'additionalProperties']);
const LICENSE_URL = 'https://www.apache.org/licenses/LICENSE-2.0';

/** An OpenAPI 3.1 document in the form of OpenAPI 3.0.3, whose schemas are an older dialect. */
export function asOpenApi30(document: Json): Record<string, unknown> {
  const { info, paths, components, ...rest } = document;
  const { license: _license, ...named } = info as Json;
  const { schemas = {}, ...others } = components as Readonly<Record<string, Schemas>>;
  return {
    ...rest,
    openapi: '3.0.3',
    info: { ...named, license: { name: 'Apache License 2.0', url: LICENSE_URL } },
    paths: withOldSchemas(paths, schemas),
    components: {
      schemas: mapValues(schemas, (schema) => oldSchema(schema as JsonSchema, schemas)),
      ...(withOldSchemas(others, schemas) as Json),
    },
  };
}

/** Rewrites each value of a `schema` field, which is where parameters and media types have theirs. */
function withOldSchemas(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((each) => withOldSchemas(each, schemas));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'schema' && isObject(inner) ? oldSchema(inner, schemas) : withOldSchemas(inner, schemas),
    ]),
  );
}

/** A schema of JSON Schema 2020-12 in the dialect of OpenAPI 3.0, which has `nullable` and no list of types. */
export function oldSchema(schema: JsonSchema, schemas: Schemas = {}): JsonSchema {
  if (typeof schema.$ref === 'string') return oldReference(schema);
  const { type, const: only, examples, anyOf, oneOf, ...rest } = schema;
  const keywords = {
    ...oldKeywords(rest, schemas),
    ...(only !== undefined && { enum: [only] }),
    ...(Array.isArray(examples) && examples.length > 0 && { example: examples[0] }),
  };
  const types = type === undefined ? [] : [type].flat();
  const branches = (anyOf ?? oneOf ?? types.map((each) => ({ type: each }))) as readonly JsonSchema[];
  const kept = branches.filter((branch) => branch.type !== 'null');
  const isPlain = anyOf === undefined && oneOf === undefined;
  const wanted = isPlain ? kept : kept.map((each) => oldSchema(each, schemas));
  // Only null: every type may be null here, so the type is any that has no other value.
  if (wanted.length === 0 && branches.length > 0)
    return { ...keywords, type: 'string', nullable: true, enum: [null] };
  const isNullable =
    wanted.length < branches.length || (Array.isArray(rest.enum) && rest.enum.includes(null));
  const old = joined(keywords, wanted, oneOf === undefined ? 'anyOf' : 'oneOf');
  return isNullable ? nullable(old, schemas) : old;
}

/** A reference has no neighbors in OpenAPI 3.0. */
const oldReference = ({ $ref, description }: JsonSchema): JsonSchema =>
  description === undefined ? { $ref } : { allOf: [{ $ref }], description };

function joined(keywords: Json, wanted: readonly JsonSchema[], keyword: 'anyOf' | 'oneOf'): JsonSchema {
  const [first, ...more] = wanted;
  if (first === undefined) return keywords;
  if (more.length > 0) return { ...keywords, [keyword]: wanted };
  if (first.$ref === undefined) return { ...keywords, ...first };
  return Object.keys(keywords).length === 0 ? first : { ...keywords, allOf: [first] };
}

/** The schema, or null. `nullable` counts only beside a type, so of several branches the first one gets it. */
function nullable(schema: JsonSchema, schemas: Schemas): JsonSchema {
  if (schema.type !== undefined) return { ...schema, nullable: true };
  if (schema.$ref !== undefined) return { type: typeOf(schema, schemas), nullable: true, allOf: [schema] };
  for (const keyword of ['anyOf', 'oneOf']) {
    const [first, ...more] = (schema[keyword] ?? []) as readonly JsonSchema[];
    if (first !== undefined) return { ...schema, [keyword]: [nullable(first, schemas), ...more] };
  }
  return { ...schema, type: typeOf(schema, schemas), nullable: true };
}

/** The one type of a schema without a list of types: its own, that of what it refers to, or that of its values. */
function typeOf({ type, $ref, allOf, enum: values }: JsonSchema, schemas: Schemas): string {
  const types = (Array.isArray(type) ? type : [type]) as readonly (string | undefined)[];
  const own = types.find((each) => each !== 'null');
  if (own !== undefined) return own;
  const part =
    (allOf as readonly JsonSchema[] | undefined)?.[0] ?? schemas[String($ref).split('/').at(-1) ?? ''];
  if (part !== undefined) return typeOf(part, schemas);
  const value: unknown = Array.isArray(values) ? values.find((each) => each !== null) : {};
  return typeof value;
}

function oldKeywords(schema: JsonSchema, schemas: Schemas): Record<string, unknown> {
  const old: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (UNKNOWN.has(key)) continue;
    if (key === 'properties')
      old[key] = mapValues(value as Json, (inner) => oldSchema(inner as JsonSchema, schemas));
    else if (key === 'exclusiveMinimum') Object.assign(old, { minimum: value, exclusiveMinimum: true });
    else if (key === 'exclusiveMaximum') Object.assign(old, { maximum: value, exclusiveMaximum: true });
    else if (key === 'allOf')
      old[key] = (value as readonly JsonSchema[]).map((each) => oldSchema(each, schemas));
    else old[key] = NESTED.has(key) && isObject(value) ? oldSchema(value, schemas) : value;
  }
  return old;
}

const mapValues = (values: Json, change: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
