import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BROWSER_ENTRIES, RULES, readHouse } from '#test/architecture-rules.ts';
import { CAPABILITY_MAP, renderMap } from '#test/capability-map.ts';
import { importsOf, type SourceFile, scanSource } from '#test/scan-source.ts';

const SERVER = join(import.meta.dirname, '..');
/** A checker that finds no files passes everything, so the test demands a minimum. */
const FILES_MIN = 30;

const files: readonly SourceFile[] = globSync(['src/**/*.{ts,md}', 'test/**/*.ts'], { cwd: SERVER })
  .filter((path) => !basename(path).startsWith('.'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(SERVER, path), 'utf8') }));

describe('the architecture of the server', () => {
  const house = readHouse(files);

  test('the checker finds the files', () => {
    expect(house.sources.length).toBeGreaterThan(FILES_MIN);
    const edges = house.sources.flatMap((source) => source.imports);
    expect(edges.filter(({ target }) => target !== null).length).toBeGreaterThan(FILES_MIN);
    for (const layer of ['domain', 'platform', 'capabilities', 'app'])
      expect(house.sources.some((source) => source.layer === layer)).toBe(true);
  });

  test.each(Object.entries(RULES))('%s', (_name, rule) => {
    expect(rule(house)).toEqual([]);
  });

  test('ARCHITECTURE.md shows the map', () => {
    expect(readFileSync(join(SERVER, '../ARCHITECTURE.md'), 'utf8')).toContain(renderMap());
  });

  test('the package exports only what browsers may load', () => {
    const { exports } = JSON.parse(readFileSync(join(SERVER, 'package.json'), 'utf8')) as {
      exports: Record<string, string>;
    };
    expect(new Set(Object.values(exports))).toEqual(new Set(BROWSER_ENTRIES.map((path) => `./${path}`)));
    for (const path of BROWSER_ENTRIES)
      expect(house.sources.some((source) => source.path === path)).toBe(true);
  });
});

/** A small code base in which every rule holds; each violation below is planted in it. */
const SOUND: readonly SourceFile[] = [
  { path: 'src/domain/score.ts', text: `import { parse } from 'tldts';\nexport const score = parse;\n` },
  { path: 'src/platform/clock.ts', text: 'export const now = () => Date.now();\n' },
  { path: 'src/platform/config.ts', text: 'export const env = process.env;\n' },
  { path: 'src/platform/postgres.ts', text: `export const asSystem = () => connect('assay_system');\n` },
  { path: 'src/capabilities/corpus/README.md', text: '# Corpus\n' },
  { path: 'src/capabilities/corpus/index.ts', text: `export { rows } from './store.ts';\n` },
  {
    path: 'src/capabilities/corpus/store.ts',
    text: `import { sql } from '#platform/postgres.ts';\nexport const rows = sql\`select id from listing\`;\n`,
  },
  { path: 'src/capabilities/check/README.md', text: '# Check\n' },
  {
    path: 'src/capabilities/check/index.ts',
    text: `import { rows } from '#capabilities/corpus/index.ts';\nimport { score } from '#domain/score.ts';\nexport const check = [rows, score];\n`,
  },
  {
    path: 'src/app/main.ts',
    text: `import { check } from '#capabilities/check/index.ts';\nvoid import('./run.ts');\n`,
  },
  { path: 'src/app/run.ts', text: `export const run = new Date(0);\n` },
];

type Planted = readonly [rule: string, path: string, text: string];

const PLANTED: readonly Planted[] = [
  ['imports point downwards', 'src/domain/a.ts', `import { now } from '#platform/clock.ts';`],
  ['imports point downwards', 'src/domain/a.ts', `import type { now } from '../platform/clock.ts';`],
  ['imports point downwards', 'src/platform/a.ts', `import { score } from '#domain/score.ts';`],
  ['imports point downwards', 'src/platform/a.ts', `export * from '#capabilities/corpus/index.ts';`],
  ['imports point downwards', 'src/capabilities/check/a.ts', `import '#app/run.ts';`],
  [
    'imports point downwards',
    'src/capabilities/check/a.ts',
    `import {\n  // why\n  run,\n} from '../../app/run.ts';`,
  ],
  ['imports point downwards', 'src/platform/a.ts', `fork(new URL('../app/run.ts', import.meta.url));`],
  ['imports point downwards', 'src/app/a.ts', `import { x } from '#test/database.ts';`],
  ['imports point downwards', 'src/services/a.ts', `import { run } from '#app/run.ts';`],
  ['every local import names a file that exists', 'src/app/a.ts', `import { x } from './nowhere.ts';`],
  ['domain uses pure packages only', 'src/domain/a.ts', `import { readFileSync } from 'node:fs';`],
  ['domain uses pure packages only', 'src/domain/a.ts', `import fs from 'fs';`],
  ['domain uses pure packages only', 'src/domain/a.ts', `import { z } from 'zod';`],
  [
    'what browsers load is domain and small packages, and nothing of Node',
    'src/domain/indicator/index.ts',
    `export { parsePhoneNumber } from 'libphonenumber-js';`,
  ],
  [
    'what browsers load is domain and small packages, and nothing of Node',
    'src/domain/stix/index.ts',
    `export const bytes = (text: string) => Buffer.from(text);`,
  ],
  [
    'what browsers load is domain and small packages, and nothing of Node',
    'src/domain/text/inert-text.ts',
    `import { now } from '#platform/clock.ts';`,
  ],
  ['domain has no clock, randomness, process or network', 'src/domain/a.ts', 'const t = Date.now();'],
  ['domain has no clock, randomness, process or network', 'src/domain/a.ts', 'const t = new Date();'],
  ['domain has no clock, randomness, process or network', 'src/domain/a.ts', 'const r = Math.random();'],
  ['domain has no clock, randomness, process or network', 'src/domain/a.ts', 'const p = process.argv;'],
  [
    'domain has no clock, randomness, process or network',
    'src/domain/a.ts',
    `const r = \`\${Math.random()}\`;`,
  ],
  ['domain has no clock, randomness, process or network', 'src/domain/a.ts', `await fetch('http://x');`],
  [
    'capabilities lean on each other along the map',
    'src/capabilities/corpus/a.ts',
    `import { check } from '#capabilities/check/index.ts';`,
  ],
  [
    'capabilities lean on each other along the map',
    'src/capabilities/corpus/a.ts',
    `import type { check } from '../check/index.ts';`,
  ],
  [
    'a capability is seen through its index.ts',
    'src/capabilities/check/a.ts',
    `import { rows } from '#capabilities/corpus/store.ts';`,
  ],
  [
    'a capability is seen through its index.ts',
    'src/app/a.ts',
    `import { rows } from '#capabilities/corpus/store.ts';`,
  ],
  ['every capability is in the map', 'src/capabilities/extra/index.ts', ''],
  [
    'every capability has a README.md and an index.ts',
    'src/capabilities/feeds/index.ts',
    'export const a = 1;',
  ],
  ['every capability has a README.md and an index.ts', 'src/capabilities/feeds/README.md', '# Feeds'],
  ['imports have no cycle', 'src/app/run.ts', `import { check } from './main.ts';`],
  ['imports have no cycle', 'src/app/run.ts', `import type { check } from './main.ts';`],
  ['imports have no cycle', 'src/app/run.ts', `export { run } from './run.ts';`],
  ['files end before 400 lines', 'src/app/a.ts', 'const a = 1;\n'.repeat(401)],
  ['files end before 400 lines', 'test/contract/a.test.ts', 'const a = 1;\n'.repeat(401)],
  ['process.env is read in config.ts only', 'src/app/a.ts', 'const home = process.env.HOME;'],
  ['process.env is read in config.ts only', 'src/app/a.ts', `const home = process['env'];`],
  ['process.env is read in config.ts only', 'src/app/a.ts', 'const { env } = process;'],
  ['the wall clock is read in clock.ts only', 'src/platform/a.ts', 'const t = Date . now();'],
  ['the wall clock is read in clock.ts only', 'src/platform/a.ts', 'const t = new Date();'],
  ['SQL is written in store.ts files and the platform only', 'src/capabilities/check/a.ts', 'sql`select 1`;'],
  [
    'SQL is written in store.ts files and the platform only',
    'src/capabilities/check/a.ts',
    `sql<{ a: \`x\` }>\`\n  delete from listing\`;`,
  ],
  [
    'SQL is written in store.ts files and the platform only',
    'src/capabilities/check/a.ts',
    `sql<Row>\`with a as (\${b}) update c set d = 1\`;`,
  ],
  [
    'SQL is written in store.ts files and the platform only',
    'src/app/a.ts',
    `pool.query('insert into account values (1)');`,
  ],
  [
    'SQL is written in store.ts files and the platform only',
    'src/capabilities/check/deep/deeper/store.ts',
    'sql`select 1`;',
  ],
  [
    'only listed files work across accounts',
    'src/capabilities/check/a.ts',
    `import { asSystem } from '#platform/postgres.ts';`,
  ],
  ['only listed files work across accounts', 'src/app/a.ts', `connectPostgres(config, 'assay_system');`],
  ['only listed files work across accounts', 'src/app/open-parts.ts', 'export const services = 1;'],
  ['only the guarded ways out open connections', 'src/platform/a.ts', `import { request } from 'undici';`],
  [
    'only the guarded ways out open connections',
    'src/app/a.ts',
    `import { lookup } from 'node:dns/promises';`,
  ],
  [
    'only the guarded ways out open connections',
    'src/capabilities/check/a.ts',
    `const a = await fetch (url);`,
  ],
  ['import() is used in app only', 'src/capabilities/check/a.ts', `const a = await import('./b.ts');`],
  ['import() is used in app only', 'src/platform/a.ts', 'const a = await import( /* why */ name);'],
  ['names say what a file holds', 'src/platform/utils.ts', ''],
  ['names say what a file holds', 'src/capabilities/check/helpers.ts', ''],
  ['names say what a file holds', 'src/capabilities/check/types.ts', ''],
  ['names say what a file holds', 'src/domain/common/score.ts', ''],
  ['names say what a file holds', 'src/domain/constants.ts', ''],
  ['names say what a file holds', 'src/platform/session-manager.ts', ''],
  ['exports are named', 'src/app/a.ts', 'export default 1;'],
];

/**
 * Texts that look like violations but are allowed: comments, strings, regular expressions, permitted imports.
 */
const HARMLESS: readonly (readonly [path: string, text: string])[] = [
  ['src/domain/a.ts', `// import { now } from '#platform/clock.ts';\n/* Date.now() */`],
  ['src/domain/a.ts', `const text = "import { a } from '#app/run.ts'; Math.random()";`],
  ['src/domain/a.ts', `const text = \`process.env \${1 + 1} Date.now()\`;`],
  ['src/domain/a.ts', `const quote = /['"\`]/g; // fetch('x')`],
  ['src/domain/a.ts', 'const day = new Date(0); const half = (a / b) / 2;'],
  ['src/domain/a.test.ts', `import { readFileSync } from 'node:fs'; Date.now();`],
  ['src/app/a.ts', `const prose = 'Update your plan, select one from the list or delete from here.';`],
  ['src/app/a.ts', `import type { check } from './main.ts';`],
  ['src/app/main.test.ts', `import { rows } from '#capabilities/corpus/store.ts'; process.env.HOME;`],
  ['src/capabilities/corpus/session-store.ts', 'export const one = sql`select 1`;'],
  ['src/platform/outbound/connector.ts', `import { buildConnector } from 'undici';`],
  ['src/app/a.ts', `import type { TLSSocket } from 'node:tls'; outbound.fetch(url);`],
  ['src/platform/http/content-types.ts', 'export const json = 1;'],
];

describe('the scanner', () => {
  test.each([
    [`import { a } from './a.ts';`, ['./a.ts']],
    [`import type { A } from './a.ts';`, ['./a.ts (type)']],
    [`export type { A } from './a.ts';`, ['./a.ts (type)']],
    [`import { type A, b } from './a.ts';`, ['./a.ts']],
    [`import type from './a.ts';`, ['./a.ts']],
    [`import a, { b } from "./a.ts"`, ['./a.ts']],
    [`import {\n  a,\n  b as c,\n} from './a.ts';\nimport * as d from './d.ts';`, ['./a.ts', './d.ts']],
    [`export * from './a.ts';\nexport { b } from './b.ts';`, ['./a.ts', './b.ts']],
    [`import './a.ts';`, ['./a.ts']],
    [`const a = await import('./a.ts');`, ['./a.ts']],
    ['const a = await import(`./a.ts`);', ['./a.ts']],
    [`new Worker(new URL('./a.ts', import.meta.url))`, ['./a.ts']],
    [`const from = 'a'; const b = { from: './b.ts' };`, []],
    [`// import './a.ts';\n/* import './b.ts'; */`, []],
    [`const a = \`import './a.ts';\`;`, []],
    [`const a = \`\${{ b: \`\${c}}\` }.b}\`; import('./d.ts');`, ['./d.ts']],
    [`const a = /[/'"]/; import('./b.ts');`, ['./b.ts']],
    [`const a = b / c; const d = 'e' / f; import('./g.ts');`, ['./g.ts']],
  ])('%j imports %j', (text, expected) => {
    const found = importsOf(scanSource(text));
    expect(found.map(({ specifier, isTypeOnly }) => specifier + (isTypeOnly ? ' (type)' : ''))).toEqual(
      expected,
    );
  });

  test('keeps every character at its offset', () => {
    for (const { text } of files) {
      const { code } = scanSource(text);
      expect(code.length).toBe(text.length);
      expect(code.split('\n').length).toBe(text.split('\n').length);
    }
  });
});

describe('every rule detects its violations', () => {
  test.each(Object.entries(RULES))('a code base without violations passes: %s', (_name, rule) => {
    expect(rule(readHouse(SOUND))).toEqual([]);
  });

  test.each(PLANTED)('%s: planted in %s: %j', (name, path, text) => {
    const planted = [...SOUND.filter((file) => file.path !== path), { path, text }];
    expect(RULES[name]?.(readHouse(planted))).not.toEqual([]);
  });

  test.each(HARMLESS)('no violation is reported: %s: %j', (path, text) => {
    const house = readHouse([...SOUND, { path, text }]);
    expect(Object.values(RULES).flatMap((rule) => rule(house))).toEqual([]);
  });

  test('a capability map with a cycle is refused', () => {
    const rule = RULES['the capability map has no cycle'];
    expect(rule?.(readHouse(SOUND, { a: ['b'], b: ['c'], c: ['a'] }))).toEqual(['map: a -> b -> c -> a']);
    expect(rule?.(readHouse(SOUND, CAPABILITY_MAP))).toEqual([]);
  });

  test('every rule has a planted violation', () => {
    const seen = new Set<string>(PLANTED.map(([rule]) => rule)).add('the capability map has no cycle');
    expect(Object.keys(RULES).filter((name) => !seen.has(name))).toEqual([]);
  });
});
