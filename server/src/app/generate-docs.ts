import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Environment } from '#platform/config.ts';
import { renderRoutes } from '#platform/http/access-table.ts';
import { describeRoutes } from './build-app.ts';
import { describeOperatorRoutes } from './build-operators.ts';
import {
  COMPOSE,
  type ComposeFile,
  DEMO_COMPOSE,
  renderFixedSettings,
  renderPassedSettings,
  renderUnusedSettings,
} from './compose-settings.ts';
import { renderConfiguration, renderEnvExample, variablesOf } from './describe-environment.ts';
import {
  caddySections,
  haproxySections,
  nginxSections,
  type ProxySections,
  proxyLimitsOf,
} from './proxy-limits.ts';
import { renderSources } from './render-sources.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Replaces the lines between the two marks of a file that is otherwise written by hand. */
function withSection(
  path: string,
  open: string,
  close: string,
  lines: readonly string[],
  before = readFileSync(join(ROOT, path), 'utf8'),
): string {
  const text = before.split('\n');
  const from = text.findIndex((line) => line.trim().startsWith(open));
  const to = text.findIndex((line, at) => at > from && line.trim() === close);
  if (from < 0 || to < 0) throw new Error(`${path} has no section from '${open}' to '${close}'.`);
  const indent = (text[from] ?? '').replace(/\S.*/, '');
  const section = lines.map((line) => (line === '' ? '' : `${indent}${line}`));
  return [...text.slice(0, from + 1), ...section, ...text.slice(to)].join('\n');
}

const composeFile = (path: string, names: readonly string[], file: ComposeFile): string =>
  withSection(path, '# BEGIN settings', '# END settings', [
    ...renderPassedSettings(names, file),
    '# The names of settings in .env that this file does not use: the services report them at their start.',
    ...renderUnusedSettings(names, file),
  ]);

/** The file of a proxy, with each part that the route table decides. */
const proxyFile = (path: string, sections: ProxySections): string =>
  Object.entries(sections).reduce<string | undefined>(
    (text, [name, lines]) => withSection(path, `# BEGIN ${name}`, `# END ${name}`, lines, text),
    undefined,
  ) ?? '';

/** All generated documents, by path. Needs no engine. */
function documents(): Readonly<Record<string, string>> {
  const variables = variablesOf(Environment);
  const names = variables.map(({ name }) => name);
  const limits = proxyLimitsOf(describeRoutes());
  return {
    '.env.example': renderEnvExample(variables),
    'docs/operating/configuration.md': renderConfiguration(variables),
    'compose.yaml': composeFile('compose.yaml', names, COMPOSE),
    'compose.demo.yaml': composeFile('compose.demo.yaml', names, DEMO_COMPOSE),
    'docs/operating/compose.md': withSection(
      'docs/operating/compose.md',
      '<!-- BEGIN fixed settings',
      '<!-- END fixed settings -->',
      renderFixedSettings(),
    ),
    'deploy/nginx/assay.conf': proxyFile('deploy/nginx/assay.conf', nginxSections(limits)),
    'deploy/haproxy/haproxy.cfg': proxyFile('deploy/haproxy/haproxy.cfg', haproxySections(limits)),
    'deploy/caddy/Caddyfile': proxyFile('deploy/caddy/Caddyfile', caddySections(limits)),
    'docs/sources.md': renderSources(),
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
