import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeRoutes } from '../../server/src/app/build-app.ts';
import { describeApi } from '../../server/src/platform/http/openapi.ts';
import { renderOperations } from './render-operations.ts';
import { renderSchemas } from './render-schemas.ts';
import type { Schema } from './render-type.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Placeholders: the generated types do not depend on the addresses of an installation. */
const description = describeApi(describeRoutes(), {
  apiUrl: 'https://a.example',
  webUrl: 'https://b.example',
});
const schemas = (description.components.schemas ?? {}) as Record<string, Schema>;
const files = {
  'sdk/src/generated/schemas.ts': renderSchemas(schemas, description.paths),
  'sdk/src/generated/operations.ts': renderOperations(description),
};

const stale = Object.entries(files).filter(([path, text]) => {
  const file = join(ROOT, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});

if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} is stale. Run 'npm run sdk:generate'.\n`);
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const [path, text] of stale) {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`${path} written.\n`);
}
