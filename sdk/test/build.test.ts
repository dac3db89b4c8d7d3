import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltPackage, installBuilt } from './built-package.ts';

const run = promisify(execFile);
const COMPILER = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
const BUNDLE_BYTES_MAX = 14_000;

let built: BuiltPackage;
beforeAll(async () => {
  built = await installBuilt();
});
afterAll(() => built?.remove());

const inProject = (name: string, text: string): string => {
  const file = join(built.project, name);
  writeFileSync(file, text);
  return file;
};

test('the package contains modules, types, README and manifest; no tests and no sources', () => {
  const files = globSync('**/*.*', { cwd: built.installed });
  expect(files.filter((name) => !/\.(?:js|d\.ts)$/.test(name)).sort()).toEqual(['README.md', 'package.json']);
  expect(files.filter((name) => name.includes('test'))).toEqual([]);
  for (const name of files.filter((file) => /\.(?:js|d\.ts)$/.test(file)))
    expect(readFileSync(join(built.installed, name), 'utf8'), name).not.toMatch(
      /(?:from |import\()['"][^'"]*\.ts['"]/,
    );
});

test('its manifest lets npm publish it, for Node 20 and newer, with nothing to install beside it', () => {
  const manifest = JSON.parse(readFileSync(join(built.installed, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({
    name: '@assay/sdk',
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    engines: { node: '>=20' },
  });
  for (const field of ['private', 'publishConfig', 'dependencies', 'devDependencies', 'scripts'])
    expect(manifest, field).not.toHaveProperty(field);
});

test('its types hold in a strict project of a consumer, and catch a wrong field', async () => {
  const check = (file: string) =>
    run(
      process.execPath,
      [
        COMPILER,
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--module',
        'nodenext',
        '--lib',
        'es2022,dom',
        file,
      ],
      { cwd: built.project },
    );
  const begin = `import { createAssay, verdictOf } from '@assay/sdk';
const assay = createAssay({ baseUrl: 'https://api.example.com' });
`;
  await check(
    inProject(
      'right.mts',
      `${begin}export const word: string = verdictOf(await assay.check('example.com')).word;
for await (const phase of assay.checkStream('example.com')) if (phase.type === 'insights') phase.data.evidence.verdict;
`,
    ),
  );
  const wrong = inProject(
    'wrong.mts',
    `${begin}export const no: number = (await assay.check('example.com')).query;\n`,
  );
  await expect(check(wrong)).rejects.toMatchObject({ stdout: expect.stringContaining('TS2322') as unknown });
});

test('all of it in a bundle is at most 14 kB on a page (minified, gzip)', async () => {
  const entry = inProject('page.js', `export * from '@assay/sdk';\n`);
  const bundled = await build({
    root: built.project,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, target: 'es2022', lib: { entry, formats: ['es'] }, minify: true },
  });
  const [bundle] = [bundled].flat();
  if (bundle === undefined || !('output' in bundle)) throw new Error('Vite gave no bundle.');
  const code = bundle.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
  expect(code).toContain('X-API-KEY');
  const bytes = gzipSync(code, { level: 9 }).length;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(BUNDLE_BYTES_MAX);
});
