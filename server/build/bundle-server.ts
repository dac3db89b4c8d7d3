import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const SERVER = join(import.meta.dirname, '..');
const SOURCES = join(SERVER, 'src') + sep;
const MAIN = join(SOURCES, 'app/main.ts');
/** The file of the bundle that starts every command. */
export const ENTRY = 'main.js';
export type BundledFile = { readonly fileName: string; readonly code: string };

/** Left out of the bundle: lmdb finds its native code beside its own package, so it stays where it is installed. */
const LEFT_OUT: readonly RegExp[] = [/^node:/, /^lmdb$/];

/** How sources name a module that they start: as a thread by its URL, or as a process by its path. */
const THREAD = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g;
const PROCESS = /join\(import\.meta\.dirname, '([\w-]+)\.ts'\)/g;
/** How sources name files of the tree, such as migrations: `join(import.meta.dirname, '../../migrations')`. */
const FOLDER = /join\(import\.meta\.dirname,/g;

/**
 * Writes the modules of the server as a few files. A process that reads them starts in a third of the CPU time that the
 * sources take (docs/decisions/0021-bundle-of-the-server.md).
 */
export async function bundleServer(outDir: string): Promise<void> {
  const files = await makeBundle(outDir);
  rmSync(outDir, { recursive: true, force: true });
  writeBundle(outDir, files);
}

/** Makes the bundle for `outDir`, because paths to files of the tree become relative to that folder. */
export async function makeBundle(outDir: string): Promise<readonly BundledFile[]> {
  const bundle = await rolldown({
    input: { main: MAIN },
    platform: 'node',
    external: [...LEFT_OUT],
    plugins: [keepPaths(outDir)],
    logLevel: 'warn',
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    });
    return output.flatMap((part) => (part.type === 'chunk' ? [part] : []));
  } finally {
    await bundle.close();
  }
}

/**
 * Rewrites paths that sources build from their own folder, so that they still lead to the same files, and to the
 * bundled file of a started module.
 */
function keepPaths(outDir: string): Plugin {
  const startedModules = new Map<string, string>();
  return {
    name: 'keep-paths',
    transform(code, id) {
      if (!id.startsWith(SOURCES) || !code.includes('import.meta')) return null;
      const folder = dirname(id);
      const started = (name: string): string => {
        const module = join(folder, `${name}.ts`);
        const known = startedModules.get(name) ?? module;
        if (known !== module)
          throw new Error(
            `Two modules that are started are called ${name}.ts: rename ${module} or ${known}.`,
          );
        startedModules.set(name, module);
        if (module !== MAIN) this.emitFile({ type: 'chunk', id: module, fileName: `${name}.js` });
        return `'./${name}.js'`;
      };
      const kept = code
        .replace(THREAD, (_, name: string) => `new URL(${started(name)}, import.META.url)`)
        .replace(PROCESS, (_, name: string) => `join(import.META.dirname, ${started(name)})`)
        .replace(FOLDER, `join(import.META.dirname, '${relative(outDir, folder)}',`);
      if (kept.includes('import.meta'))
        throw new Error(
          `${relative(SERVER, id)}: write import.meta as new URL('./NAME.ts', import.meta.url) for a thread, as join(import.meta.dirname, 'NAME.ts') for a process, or as join(import.meta.dirname, 'PATH') for a file.`,
        );
      return { code: kept.replaceAll('import.META', 'import.meta'), map: null };
    },
  };
}

export function writeBundle(outDir: string, files: readonly BundledFile[]): void {
  mkdirSync(outDir, { recursive: true });
  for (const { fileName, code } of files) writeFileSync(join(outDir, basename(fileName)), code);
}
