import { renderComment, renderType, type Schema, schemaNameOf, typeNameOf } from './render-type.ts';

const HEAD = '// Written by `npm run sdk:generate` from the description of the API. Do not edit.\n';

export function renderSchemas(schemas: Readonly<Record<string, Schema>>, paths: unknown): string {
  const answered = reachable(responsesOf(paths), schemas);
  const types = Object.entries(schemas).map(([name, schema]) => {
    // A type alias, not an interface: only an alias is assignable to a record type, such as a saved result.
    const direction = answered.has(name) || name.endsWith('Error') ? 'answered' : 'sent';
    const comment = renderComment(schema.description, '');
    return `${comment}export type ${typeNameOf(name)} = ${renderType(schema, { direction, prefix: '' })};\n`;
  });
  return [HEAD, ...types].join('\n');
}

function reachable(root: unknown, schemas: Readonly<Record<string, Schema>>): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const reference = (value as Schema).$ref;
    if (typeof reference === 'string' && reference.includes('/schemas/')) {
      const name = schemaNameOf(reference);
      if (found.has(name)) return;
      found.add(name);
      visit(schemas[name]);
      return;
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(root);
  return found;
}

const responsesOf = (paths: unknown): unknown =>
  Object.values(paths as Record<string, Record<string, { responses: unknown }>>).flatMap((methods) =>
    Object.values(methods).map(({ responses }) => responses),
  );
