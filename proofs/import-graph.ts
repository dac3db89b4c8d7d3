import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { importsOf, scanSource } from '../server/test/support/scan-source.ts';

const ROOT = join(import.meta.dirname, '..');

/** Files that a source reads as data; a graph that contains the source contains them too. */
const READS: Readonly<Record<string, string>> = {
  'server/src/platform/migrate.ts': 'server/migrations/*.sql',
  'server/test/support/mail/postfix.ts': 'integrations/postfix/*.cf',
  'server/test/support/mail/rspamd.ts': 'integrations/rspamd/*',
  'web/test/support/build-dashboard.ts': 'web/{index.html,src/**/*.{ts,tsx,css}}',
};

type Package = { readonly imports?: Record<string, string>; readonly exports?: Record<string, string> };
const packageOf = (folder: string): Package =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Package;

/** Aliases of a package.json such as `#platform/*` and `@assay/server/csv`, with the paths they stand for. */
function aliasesOf(folder: string): readonly (readonly [from: string, to: string])[] {
  const { imports = {}, exports = {} } = packageOf(folder);
  return [
    ...Object.entries(imports),
    ...Object.entries(exports).map(([key, path]) => [`@assay/${folder}${key.slice(1)}`, path] as const),
  ]
    .filter((alias): alias is [string, string] => typeof alias[1] === 'string')
    .map(([from, to]) => [from.replace('*', ''), join(folder, to.replace('*', ''))] as const);
}

/** Resolves an import specifier of one file to a file of this repository; null for an installed package. */
export function createResolver(): (from: string, specifier: string) => string | null {
  const aliases = ['server', 'sdk', 'web'].flatMap(aliasesOf);
  return (from, specifier) => {
    const alias = aliases.find(
      ([name]) => specifier === name || (name.endsWith('/') && specifier.startsWith(name)),
    );
    const path = specifier.startsWith('.')
      ? join(dirname(from), specifier)
      : alias && join(alias[1], specifier.slice(alias[0].length));
    return path !== undefined && existsSync(join(ROOT, path)) ? path : null;
  };
}

/** A string that names a source file relative to its own file: `join(import.meta.dirname, '../../src/app/main.ts')`. */
const NAMES_A_FILE = /^\.{0,2}[\w./-]+\.(?:ts|sql|json|lua)$/;

function edgesOf(file: string, resolve: ReturnType<typeof createResolver>): readonly string[] {
  const scan = scanSource(readFileSync(join(ROOT, file), 'utf8'));
  const imported = importsOf(scan).map(({ specifier }) => resolve(file, specifier));
  const named = scan.literals
    .filter(({ text }) => NAMES_A_FILE.test(text))
    .map(({ text }) => resolve(file, text.startsWith('.') ? text : `./${text}`));
  const pattern = READS[file];
  const read = pattern === undefined ? [] : globSync(pattern, { cwd: ROOT });
  return [...imported, ...named, ...read].filter((each) => each !== null);
}

/** The test files of a folder, or the file itself. */
function testsIn(path: string): readonly string[] {
  const full = join(ROOT, path);
  if (!statSync(full).isDirectory()) return [relative(ROOT, full)];
  const tests = globSync('**/*.test.{ts,tsx}', { cwd: full, exclude: (name) => name === 'node_modules' });
  return tests.map((test) => relative(ROOT, join(full, test)));
}

/** Every file of this repository that the given ones import, start as a process, or read. */
export function createGraph(): (roots: readonly string[]) => readonly string[] {
  const resolve = createResolver();
  const edges = new Map<string, readonly string[]>();
  const edgesFrom = (file: string): readonly string[] => {
    const known = edges.get(file) ?? (/\.tsx?$/.test(file) ? edgesOf(file, resolve) : []);
    edges.set(file, known);
    return known;
  };
  return (roots) => {
    const reached = new Set<string>(roots.flatMap(testsIn));
    for (const file of reached) for (const next of edgesFrom(file)) reached.add(next);
    return [...reached].toSorted();
  };
}

/** The digest of the code in these files: a change of comments or line breaks alone does not move it. */
export function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n${meaningOf(file)}\n`);
  return hash.digest('hex').slice(0, 16);
}

function meaningOf(file: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (!file.endsWith('.ts')) return text;
  const { code, literals } = scanSource(text);
  return `${code.replace(/\s+/g, ' ')}\n${literals.map((each) => each.text).join('\n')}`;
}
