import type { JsonSchema, SchemaCollector } from './json-schema.ts';
import type { Route } from './route.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
};

const headerOf = (name: string, description: string, required = false): Parameter => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

/** The licence header of contract 5 rule 2. */
const LICENCE_HEADER = headerOf('X-License-Key', 'An active licence key of the account.', true);
const IDEMPOTENCY_HEADER = headerOf(
  'Idempotency-Key',
  'The same key within a day carries the request out once and answers the same again.',
);
const CONDITION_HEADER = headerOf(
  'If-None-Match',
  'The ETag of the answer that you have. While it is current the answer is 304, without a body.',
);
const RANGE_HEADERS = [
  headerOf('Range', 'One range of bytes, such as `bytes=1000-`, to resume a download.'),
  headerOf('If-Range', 'The ETag of the part that you have: with another version the whole answer is sent.'),
];

/** The parameters of a route in the order path, header, query. */
export function parametersOf(route: Route, schemas: SchemaCollector): Parameter[] {
  const named = [
    ...pathParameters(route, schemas),
    ...(route.policy.licence === true ? [LICENCE_HEADER] : []),
    ...(route.policy.idempotent === true ? [IDEMPOTENCY_HEADER] : []),
    ...(route.conditional === true ? [CONDITION_HEADER] : []),
    ...(route.ranges === true ? RANGE_HEADERS : []),
    ...Object.entries(route.requestHeaders ?? {}).map(([name, description]) => headerOf(name, description)),
  ];
  if (route.query === undefined) return named;
  const { properties, required } = propertiesOf(schemas.input(route.query));
  const inQuery = Object.entries(properties).map(
    ([name, schema]): Parameter => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...split(schema),
    }),
  );
  return [...named, ...inQuery];
}

function pathParameters(route: Route, schemas: SchemaCollector): Parameter[] {
  const declared = route.params === undefined ? {} : propertiesOf(schemas.input(route.params)).properties;
  return pathNames(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    ...split(declared[name] ?? { type: 'string' }),
  }));
}

function propertiesOf(schema: JsonSchema): {
  properties: Record<string, JsonSchema>;
  required: readonly string[];
} {
  if (schema.$ref !== undefined)
    throw new Error('Give no id to a schema of query or path parameters: OpenAPI lists them one by one.');
  return {
    properties: (schema.properties ?? {}) as Record<string, JsonSchema>,
    required: (schema.required ?? []) as readonly string[],
  };
}

function split(schema: JsonSchema): { description?: string; schema: JsonSchema } {
  const { description, ...rest } = schema;
  return typeof description === 'string' ? { description, schema: rest } : { schema: rest };
}

/** A parameter in the path of a route, such as `:id`. */
export const PATH_NAME = /:(\w+)/g;
const pathNames = (path: string): string[] => [...path.matchAll(PATH_NAME)].map(([, name = '']) => name);
