import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Environment } from '#platform/config.ts';
import { renderRoutes } from '#platform/http/access-table.ts';
import { describeRoutes } from './build-app.ts';
import { describeOperatorRoutes } from './build-operators.ts';
import { renderConfiguration, renderEnvExample, variablesOf } from './describe-environment.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** All generated documents, by path. Needs no engine. */
function documents(): Readonly<Record<string, string>> {
  const variables = variablesOf(Environment);
  return {
    '.env.example': renderEnvExample(variables),
    'docs/operating/configuration.md': renderConfiguration(variables),
    'docs/routes.md': renderRoutes(describeRoutes(), describeOperatorRoutes()),
  };
}

const stale = Object.entries(documents()).filter(([path, text]) => {
  const file = join(ROOT, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});

if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} is stale. Run 'npm run docs'.\n`);
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const [path, text] of stale) {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`${path} written.\n`);
}
