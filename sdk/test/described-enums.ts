import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const generated = readFileSync(join(import.meta.dirname, '../src/generated/schemas.ts'), 'utf8');

/** The values of an enum in the generated description, so that a new value fails a test first. */
export function enumOf(type: string, field: string): string[] {
  const body = generated.split(`export type ${type} = {`)[1]?.split('\n};')[0] ?? '';
  const values = new RegExp(`readonly ${field}\\??: ('[^;]+');`).exec(body)?.[1];
  if (values === undefined) throw new Error(`There is no enum ${field} in ${type}.`);
  return values.split(' | ').map((value) => value.slice(1, -1));
}
