import { z } from 'zod';

export type JsonSchema = { readonly [key: string]: unknown };

const LOCAL = '#/$defs/';
const SHARED = '#/components/schemas/';

export type SchemaCollector = {
  /** What a caller sends: defaults are optional. */
  readonly input: (schema: z.ZodType) => JsonSchema;
  /** What we answer: everything that is always there is required. */
  readonly output: (schema: z.ZodType) => JsonSchema;
  /** Every schema with an id that something still refers to, by name. */
  readonly components: (description: unknown) => Record<string, JsonSchema>;
};

/** Turns Zod schemas into OpenAPI 3.1 ones; those with `.meta({ id })` become components, written once. */
export function createSchemaCollector(): SchemaCollector {
  const components = new Map<string, JsonSchema>();

  /** A shape that reads differently as input gets a name of its own; one that reads the same does not (rule 13). */
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
    // A shape that holds a renamed one reads differently itself, so names are looked at until they stay.
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

/** Answers may grow (contract 9.4: minor is additive), so no schema forbids a field it does not name yet. */
function tidy({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  delete jsonSchema.boundedBy;
}

function renamed(value: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
    if (key !== '$ref' || typeof inner !== 'string' || !inner.startsWith(LOCAL)) return inner;
    const id = inner.slice(LOCAL.length);
    return SHARED + (names.get(id) ?? id);
  }) as JsonSchema;
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
