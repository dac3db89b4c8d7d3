import { execFile } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SDK = join(import.meta.dirname, '..');
const ROOT = join(SDK, '..');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
/** An import or export of a relative `.ts` module, also inside a type: `from './a.ts'`, `import('./a.ts')`. */
const NEIGHBOUR = /((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g;

/**
 * Writes the package as published into `outDir`: JavaScript modules, types and manifest. Publish that folder, not
 * `sdk`: npm ignores `publishConfig.exports`, and the workspace imports the sources.
 */
export async function buildSdk(outDir: string): Promise<void> {
  rmSync(outDir, { recursive: true, force: true });
  const project = join(SDK, 'tsconfig.build.json');
  await promisify(execFile)(process.execPath, [COMPILER, '-p', project, '--outDir', outDir]);
  // The compiler rewrites the extensions in modules but not in type declarations.
  for (const name of globSync('**/*.d.ts', { cwd: outDir })) {
    const file = join(outDir, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(NEIGHBOUR, '$1.js'));
  }
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
  copyFileSync(join(SDK, 'README.md'), join(outDir, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(outDir, 'LICENSE'));
}

type Manifest = Readonly<Record<string, unknown>> & {
  readonly publishConfig: Readonly<Record<string, unknown>>;
};

function publishedManifest(): Readonly<Record<string, unknown>> {
  const manifest = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8')) as Manifest;
  const { publishConfig, private: _held, devDependencies: _ours, ...kept } = manifest;
  return { ...kept, ...publishConfig };
}
