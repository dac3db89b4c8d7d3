import { z } from 'zod';
import { portableSource } from './portable-pattern.ts';

export type JsonSchema = { readonly [key: string]: unknown };

const LOCAL = '#/$defs/';
const SHARED = '#/components/schemas/';

export type SchemaCollector = {
  /** Schemas of requests: fields with defaults are optional. */
  readonly input: (schema: z.ZodType) => JsonSchema;
  /** Schemas of replies: fields that are always present are required. */
  readonly output: (schema: z.ZodType) => JsonSchema;
  readonly components: (description: unknown) => Record<string, JsonSchema>;
};

export function createSchemaCollector(): SchemaCollector {
  const components = new Map<string, JsonSchema>();

  /** A schema whose input form differs gets a second name; otherwise both forms share one (foundation rule 13). */
  function nameOf(id: string, schema: JsonSchema, io: 'input' | 'output'): string {
    const held = components.get(id);
    if (held === undefined || sameText(held, schema)) return id;
    if (io === 'output') throw new Error(`Two different schemas are both called '${id}'.`);
    return `${id}Input`;
  }

  function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy }) as JsonSchema;
    const { $schema: _dialect, $defs, ...root } = whole;
    const local = Object.entries(($defs ?? {}) as Record<string, JsonSchema>);
    const names = new Map<string, string>();
    // A schema that contains a renamed one differs as well, so the loop runs until no name changes.
    for (let settled = false; !settled; ) {
      settled = true;
      for (const [id, body] of local) {
        const name = nameOf(id, renamed(body, names), io);
        if (names.get(id) !== name) settled = false;
        names.set(id, name);
      }
    }
    for (const [id, body] of local) {
      const { id: _id, ...named } = renamed(body, names) as { id?: unknown };
      components.set(names.get(id) ?? id, named);
    }
    return renamed(root, names);
  }

  return {
    input: (schema) => convert(schema, 'input'),
    output: (schema) => convert(schema, 'output'),
    components: (description) => {
      const used = new Set<string>();
      const visit = (value: unknown): void => {
        for (const name of referencesIn(value)) {
          if (used.has(name)) continue;
          used.add(name);
          visit(components.get(name));
        }
      };
      visit(description);
      return Object.fromEntries([...components].filter(([name]) => used.has(name)).sort(byName));
    },
  };
}

type Conversion = {
  readonly zodSchema: { readonly _zod: { readonly bag: Readonly<Record<string, unknown>> } };
  readonly jsonSchema: Record<string, unknown>;
};

/** Replies may grow (contract 9 rule 4: minor is additive), so no schema forbids unknown fields. */
function tidy({ zodSchema, jsonSchema }: Conversion): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  delete jsonSchema.boundedBy;
  if (jsonSchema.pattern === undefined) return;
  for (const pattern of (zodSchema._zod.bag.patterns ?? []) as Iterable<RegExp>) portableSource(pattern);
}

function renamed(value: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
    if (key === '$ref' && typeof inner === 'string' && inner.startsWith(LOCAL)) {
      const id = inner.slice(LOCAL.length);
      return SHARED + (names.get(id) ?? id);
    }
    return isPlainObject(inner) ? withNamedFields(inner) : inner;
  }) as JsonSchema;
}

const isPlainObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names the fields of a record whose keys are known, because generators of clients do not read `propertyNames`. */
function withNamedFields(schema: JsonSchema): JsonSchema {
  const { propertyNames, additionalProperties, ...rest } = schema;
  const keys = isPlainObject(propertyNames) ? propertyNames.enum : undefined;
  if (!Array.isArray(keys) || schema.properties !== undefined) return schema;
  return { ...rest, properties: Object.fromEntries(keys.map((key) => [key, additionalProperties ?? {}])) };
}

export function referencesIn(value: unknown): string[] {
  const text = JSON.stringify(value) ?? '';
  return [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
}

const sameText = (a: JsonSchema, b: JsonSchema): boolean => {
  const { id: _a, ...left } = a as { id?: unknown };
  const { id: _b, ...right } = b as { id?: unknown };
  return JSON.stringify(left) === JSON.stringify(right);
};
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;
