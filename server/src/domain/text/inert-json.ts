import { inertText } from './inert-text.ts';

export type JsonLimits = {
  readonly depthMax: number;
  readonly itemsMax: number;
  readonly textMax: number;
  readonly valuesMax: number;
};

export type InertJson =
  | string
  | number
  | boolean
  | null
  | readonly InertJson[]
  | { readonly [name: string]: InertJson };

/** Names that reach the prototype when an object is copied field by field. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
const NAME_MAX = 100;

/** Copies JSON of unknown shape: every text inert, everything bounded. Parts over a limit are left out. */
export function inertJson(value: unknown, limits: JsonLimits): InertJson {
  const budget = { left: limits.valuesMax };
  return copy(value, limits, budget, 0);
}

function copy(value: unknown, limits: JsonLimits, budget: { left: number }, depth: number): InertJson {
  budget.left -= 1;
  if (typeof value === 'string') return inertText(value, limits.textMax) ?? '';
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null || depth >= limits.depthMax) return null;
  if (Array.isArray(value)) {
    const items: InertJson[] = [];
    for (const item of value.slice(0, limits.itemsMax)) {
      if (budget.left <= 0) break;
      items.push(copy(item, limits, budget, depth + 1));
    }
    return items;
  }
  const fields: [string, InertJson][] = [];
  for (const name in value) {
    if (budget.left <= 0 || fields.length >= limits.itemsMax) break;
    const plain = Object.hasOwn(value, name) ? inertText(name, NAME_MAX) : null;
    if (plain === null || FORBIDDEN_NAMES.has(plain)) continue;
    fields.push([plain, copy((value as Record<string, unknown>)[name], limits, budget, depth + 1)]);
  }
  return Object.fromEntries(fields);
}
