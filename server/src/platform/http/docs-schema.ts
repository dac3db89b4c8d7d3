import { escapeHtml } from '#platform/escape-html.ts';
import type { JsonSchema } from './json-schema.ts';

const NESTING_MAX = 3;

/** A table of the fields, or one line where the schema has none of its own. */
export function schemaTable(schema: JsonSchema): string {
  const rows = schemaRows(schema, 0);
  if (rows.length === 0) return `<p>${typeOf(schema)} ${prose(schema.description)} ${bounds(schema)}</p>`;
  const said =
    typeof schema.description === 'string' ? `<p class="lead">${prose(schema.description)}</p>` : '';
  return `${said}<table class="wide"><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function schemaRows(schema: JsonSchema, depth: number): string[] {
  const holder = schema.type === 'array' ? ((schema.items ?? {}) as JsonSchema) : schema;
  const required = (holder.required ?? []) as readonly string[];
  const properties = Object.entries((holder.properties ?? {}) as Record<string, JsonSchema>);
  return properties.flatMap(([name, part]) => [
    `<tr><td class="in${depth}"><code class="name">${text(name)}</code>${need(required.includes(name))}</td><td>${typeOf(part)}</td><td>${prose(part.description)} ${bounds(part)}</td></tr>`,
    ...(depth < NESTING_MAX ? schemaRows(part, depth + 1) : []),
  ]);
}

export const need = (required: boolean): string => (required ? ' <span class="need">required</span>' : '');

export function typeOf(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="#${anchor(name)}">${text(name)}</a>`;
  }
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) as JsonSchema[] | undefined;
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  if (schema.const !== undefined) return `<code>${text(JSON.stringify(schema.const))}</code>`;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `<code>${text(value)}</code>`).join(', ');
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as JsonSchema)}`;
  return text(schema.type ?? 'any');
}

const BOUNDS = {
  default: (value) => `default ${value}`,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  minItems: (value) => `at least ${value} entries`,
  maxItems: (value) => `at most ${value} entries`,
} as const satisfies Readonly<Record<string, (value: string) => string>>;

export const bounds = (schema: JsonSchema): string => {
  const said = Object.entries(BOUNDS).flatMap(([key, words]) =>
    schema[key] === undefined || Math.abs(Number(schema[key])) === Number.MAX_SAFE_INTEGER
      ? []
      : [words(JSON.stringify(schema[key]))],
  );
  return said.length === 0 ? '' : `<span class="more">${text(`(${said.join(', ')})`)}</span>`;
};

/** Escapes every text that is not our own markup. */
export const text = (value: unknown): string => {
  const plain = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return escapeHtml(plain);
};

export const prose = (value: unknown): string => text(value).replace(/`([^`]+)`/g, '<code>$1</code>');

export const anchor = (name: string): string => name.replace(/[^\w-]/g, '-');
