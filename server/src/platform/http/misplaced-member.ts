import { z } from 'zod';
import type { ErrorDetail } from '#platform/errors.ts';

type JsonSchema = Readonly<Record<string, unknown>>;
/** The places of every member that is reachable through objects alone, and the places of these objects. */
type Layout = {
  readonly places: ReadonlyMap<string, readonly string[]>;
  readonly objects: ReadonlySet<string>;
};

const COMBINED = ['anyOf', 'oneOf', 'allOf'] as const;
const LOCAL = '#/$defs/';
const DEPTH_MAX = 6;
const PROBLEMS_MAX = 5;

const layouts = new WeakMap<z.ZodType, Layout>();

/**
 * The members of a JSON body that are in another object than the one their schema puts them in. Unknown members are
 * ignored, so without this a setting in the wrong place would have no effect and no answer would say so (O68).
 */
export function misplacedMembers(schema: z.ZodType, sent: unknown): readonly ErrorDetail[] {
  if (!isPlain(sent)) return [];
  const held = layouts.get(schema);
  const layout = held ?? layoutOf(schema);
  if (held === undefined) layouts.set(schema, layout);
  const problems: ErrorDetail[] = [];
  // A body without objects inside it has one place only.
  if (layout.objects.size > 1) findMisplaced(layout, problems, sent, '');
  return problems;
}

function findMisplaced(layout: Layout, problems: ErrorDetail[], object: JsonSchema, at: string): void {
  if (!layout.objects.has(at)) return;
  for (const [name, inner] of Object.entries(object)) {
    if (problems.length >= PROBLEMS_MAX) return;
    const places = layout.places.get(name) ?? [];
    const path = placeOf(at, name);
    if (places.includes(path)) {
      if (isPlain(inner)) findMisplaced(layout, problems, inner, path);
    } else if (places.length > 0)
      problems.push({
        path,
        message: `This belongs in another place. Send it as ${places.join(' or ')}.`,
      });
  }
}

function layoutOf(schema: z.ZodType): Layout {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const places = new Map<string, string[]>();
  const objects = new Set<string>();
  const definitions = (root.$defs ?? {}) as Readonly<Record<string, JsonSchema>>;
  const visit = (part: JsonSchema, at: string, depth: number): void => {
    if (depth > DEPTH_MAX) return;
    if (typeof part.$ref === 'string') {
      const named = definitions[part.$ref.slice(LOCAL.length)];
      if (named !== undefined) visit(named, at, depth + 1);
    }
    // An object that takes any name has no member in the wrong place.
    const isOpen = part.additionalProperties !== undefined && part.additionalProperties !== false;
    if (part.properties !== undefined && !isOpen) objects.add(at);
    for (const [name, inner] of Object.entries((part.properties ?? {}) as Record<string, JsonSchema>)) {
      const path = placeOf(at, name);
      const known = places.get(name) ?? [];
      if (!known.includes(path)) places.set(name, [...known, path]);
      visit(inner, path, depth + 1);
    }
    for (const key of COMBINED)
      for (const one of (part[key] ?? []) as readonly JsonSchema[]) visit(one, at, depth + 1);
  };
  visit(root, '', 0);
  return { places, objects };
}

const placeOf = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

const isPlain = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
