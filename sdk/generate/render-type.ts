export type Schema = { readonly [key: string]: unknown };

/** In a request (`sent`) an optional field may also be given as undefined. */
export type Direction = 'sent' | 'answered';
export type TypeOptions = { readonly direction: Direction; readonly prefix: string };

const SHARED = '#/components/schemas/';
const BOUNDS = new Set(
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems minProperties maxProperties contentEncoding'.split(
    ' ',
  ),
);
const READ = new Set(
  '$ref type properties required items additionalProperties propertyNames enum const anyOf oneOf not description examples default title deprecated'.split(
    ' ',
  ),
);

/** The TypeScript type of one JSON schema. Throws on an unknown keyword, because a guess would be a wrong type. */
export function renderType(schema: Schema, options: TypeOptions, indent = ''): string {
  const unknown = Object.keys(schema).filter((key) => !BOUNDS.has(key) && !READ.has(key));
  if (unknown.length > 0) throw new Error(`The generator cannot read '${unknown.join(', ')}' yet.`);
  if (typeof schema.$ref === 'string') return options.prefix + typeNameOf(schemaNameOf(schema.$ref));
  if (schema.not !== undefined) {
    if (Object.keys(schema.not as Schema).length === 0) return 'never';
    throw new Error("The generator cannot read a 'not' that allows something.");
  }
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches))
    return union(branches.map((branch: Schema) => renderType(branch, options, indent)));
  if (Array.isArray(schema.type))
    return union(schema.type.map((type: string) => renderType({ ...schema, type }, options, indent)));
  return renderPlain(schema, options, indent);
}

function renderPlain(schema: Schema, options: TypeOptions, indent: string): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly ${inParentheses(renderType((schema.items ?? {}) as Schema, options, indent))}[]`;
    case 'object':
      return renderObject(schema, options, indent);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`The generator does not know the type '${String(schema.type)}'.`);
  }
}

function renderObject(schema: Schema, options: TypeOptions, indent: string): string {
  const required = new Set((schema.required ?? []) as string[]);
  const inner = `${indent}  `;
  const lines = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
    ([name, property]) =>
      `${renderComment(property.description, inner)}${inner}${renderField(name, required.has(name), renderType(property, options, inner), options)}\n`,
  );
  const more = schema.additionalProperties;
  if (typeof more === 'object' && more !== null) {
    const value = renderType(more as Schema, options, inner);
    const keys = (schema.propertyNames as Schema | undefined)?.enum;
    if (lines.length === 0 && Array.isArray(keys))
      return `{ readonly [K in ${union(keys.map(literal))}]${keys.every((key) => required.has(key as string)) ? '' : '?'}: ${value} }`;
    lines.push(`${inner}readonly [key: string]: ${lines.length === 0 ? value : 'unknown'};\n`);
  }
  return lines.length === 0 ? '{ readonly [key: string]: unknown }' : `{\n${lines.join('')}${indent}}`;
}

export function renderField(name: string, isRequired: boolean, type: string, options: TypeOptions): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
  if (isRequired) return `readonly ${key}: ${type};`;
  if (options.direction !== 'sent') return `readonly ${key}?: ${type};`;
  return `readonly ${key}?: ${type === 'never' ? 'undefined' : `${type} | undefined`};`;
}

export function renderComment(text: unknown, indent: string): string {
  if (typeof text !== 'string' || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

export const schemaNameOf = (reference: string): string => {
  if (!reference.startsWith(SHARED)) throw new Error(`The generator cannot follow '${reference}'.`);
  return reference.slice(SHARED.length);
};

/** A type called `Error` would hide the global one in every file that imports it. */
export const typeNameOf = (schemaName: string): string => (schemaName === 'Error' ? 'ErrorBody' : schemaName);

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const inParentheses = (type: string): string => (/^[\w.]+$/.test(type) ? type : `(${type})`);

const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
