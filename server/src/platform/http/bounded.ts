import { z } from 'zod';
import type { Route } from './route.ts';

type Node = Readonly<Record<string, unknown>>;

const PARTS = ['query', 'params', 'body'] as const;
/** JSON Schema keywords that hold one schema, a list of them, or a map of them. */
const NESTED = ['items', 'additionalProperties', 'not', 'propertyNames'] as const;
const NESTED_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const NESTED_MAPS = ['properties', '$defs', 'patternProperties'] as const;

/**
 * A string or array in a request schema without a maximum stops the start, because all input must have a bounded
 * size. A value of any shape names its bound in `.meta({ boundedBy: '…' })`.
 */
export function assertBounded(routes: readonly Route[]): void {
  const found = routes.flatMap(unboundedIn);
  if (found.length > 0)
    throw new Error(
      `Request schemas must bound every string and array:\n${found.map((line) => `- ${line}`).join('\n')}`,
    );
}

function unboundedIn(route: Route): string[] {
  return PARTS.flatMap((part) => {
    const schema = route[part];
    if (schema === undefined) return [];
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return walk(json as Node, part).map((problem) => `${route.method} ${route.path} ${problem}`);
  });
}

function walk(node: Node, path: string): string[] {
  if (allowsNothing(node)) return [];
  const problems = problemOf(node, path);
  for (const key of NESTED) if (isNode(node[key])) problems.push(...walk(node[key], `${path}.${key}`));
  for (const key of NESTED_LISTS)
    if (Array.isArray(node[key]))
      problems.push(...node[key].flatMap((part) => (isNode(part) ? walk(part, path) : [])));
  for (const key of NESTED_MAPS)
    if (isNode(node[key]))
      for (const [name, part] of Object.entries(node[key]))
        if (isNode(part)) problems.push(...walk(part, `${path}.${name}`));
  return problems;
}

/** A field that must not be sent. */
const allowsNothing = ({ not }: Node): boolean => isNode(not) && Object.keys(not).length === 0;

function problemOf(node: Node, path: string): string[] {
  if (node.boundedBy !== undefined || node.const !== undefined || node.enum !== undefined) return [];
  if (node.type === 'string' && node.maxLength === undefined && !isBoundedPattern(node.pattern))
    return [`${path}: a string without a maximum length`];
  if (node.type === 'array' && node.maxItems === undefined && node.prefixItems === undefined)
    return [`${path}: an array without a maximum length`];
  const saysNothing = !['type', '$ref', ...NESTED_LISTS, 'not'].some((key) => node[key] !== undefined);
  return saysNothing ? [`${path}: a value of any shape`] : [];
}

/** An anchored expression without `*`, `+` or `{n,}` only matches texts of bounded length. */
export function isBoundedPattern(source: unknown): boolean {
  if (typeof source !== 'string' || !source.startsWith('^') || !source.endsWith('$')) return false;
  const bare = source.replace(/\\./g, 'x').replace(/\[[^[\]]*\]/g, 'x');
  // `^a|b$` anchors each alternative at one end only.
  if (/^[^(]*\|/.test(bare)) return false;
  return !/[*+]|\{\d*,\}/.test(bare);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
