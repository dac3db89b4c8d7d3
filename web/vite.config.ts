import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const BASE = '/app/';
const EARLY = join(import.meta.dirname, 'src/early.ts');

/**
 * Forty small files compress worse than a few and load in sequence. So the entry's code is one chunk, the code that
 * several screens share is another, and the code that the indicator page shares with its later parts is a third.
 */
const GROUPS = [
  // Kept small so that it runs first: the code that sends the page's first requests.
  {
    name: 'early',
    test: /\/web\/src\/(?:early|service\/(?:client|early-check|early-question)|screens\/indicator\/plain-target)\.ts|\/sdk\/src\/(?!verdict|advice)/,
  },
  { name: 'index', tags: ['$initial' as const] },
  // Data, not code: a chunk of its own stays cached until the list changes.
  { name: 'public-suffixes', test: /node_modules\/tldts\// },
  {
    name: 'parts',
    test: /\/web\/src\/(?:(?:ui|words)\/(?!layer|query-panel|stacked-table|field-of)|box\/indicator-link|service\/recent|charts\/chart-table)|\/sdk\/src\/(?:verdict|advice)/,
    minShareCount: 2,
  },
  {
    name: 'check',
    test: /\/web\/src\/(?:screens\/indicator\/(?:(?!panels)|panels\/subject-words)|charts\/waterfall)/,
    minShareCount: 2,
  },
  {
    name: 'account',
    test: /\/web\/src\/(?:ui\/(?:query-panel|stacked-table|field-of)|service\/switch-account)/,
    minShareCount: 2,
  },
  { name: 'entry', test: /\/screens\/entry\/|\/service\/use-sending/, minShareCount: 2 },
  { name: 'panels', test: /\/screens\/indicator\/panels\/|\/charts\/use-width/, minShareCount: 2 },
];

/** One hash suffix per file for its class names. Vite's default adds the line number too, which only costs bytes. */
const scopedName = (name: string, file: string): string =>
  `${name}_${createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 4)}`;

const OPERATION = /^ {2}(\w+): \{ method: .+\n/gm;

/** Cuts the SDK's table of all routes of the service to those that the dashboard or the SDK itself names. */
const cutOperations = (): Plugin => ({
  name: 'assay:cut-operations',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => {
    if (!id.endsWith('/sdk/src/generated/operations.ts')) return;
    const sources = globSync(['src/**/*.{ts,tsx}', '../sdk/src/*.ts'], { cwd: import.meta.dirname });
    const text = sources.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
    const named = new Set([...text.matchAll(/'(\w+)'/g)].map(([, name]) => name));
    const cut = code.replace(OPERATION, (line, name: string) => (named.has(name) ? line : ''));
    if (cut === code) throw new Error('The table of operations has another form: no line was cut.');
    return cut;
  },
});

/** Both font families are used on every page, so they are preloaded before the style sheet is read. */
const preloadFonts = (): Plugin => ({
  name: 'assay:preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => name.endsWith('.woff2'))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: BASE + name },
          injectTo: 'head-prepend' as const,
        })),
  },
});

/** Adds the entry of `early.ts` as an async module, which runs as soon as it has loaded and waits for no other. */
const runEarly = (): Plugin => ({
  name: 'assay:run-early',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.values(bundle)
        .filter((file) => file.type === 'chunk' && file.facadeModuleId === EARLY)
        .map(({ fileName }) => ({
          tag: 'script',
          attrs: { type: 'module', async: true, crossorigin: true, src: BASE + fileName },
          injectTo: 'head-prepend' as const,
        })),
  },
});

/**
 * The script of each path below the base, read from the text of `src/screens.ts`: its modules are for the browser and
 * cannot run here. A build that lacks one of these chunks fails.
 */
function screensOf(register: string): readonly (readonly [string, string])[] {
  const named = new Map(
    [...register.matchAll(/const (\w+) = \(\) => import\('\.\/(.+?)'\)/g)].map(([, name, file]) => [
      name,
      file,
    ]),
  );
  const found = [...register.matchAll(/path: '(.+?)',[^}]*?load: (?:\(\) => import\('\.\/(.+?)'\)|(\w+))/g)];
  return found.map(([, path = '', file, name]) => {
    const source = file ?? named.get(name ?? '');
    if (source === undefined) throw new Error(`The register names no script for ${path}.`);
    return [path.replaceAll(/:\w+/g, '[^/]+').replace('*', '.+'), source];
  });
}
const SCREENS = screensOf(readFileSync(join(import.meta.dirname, 'src/screens.ts'), 'utf8'));

/** Preloads the scripts of the opened screen together with those of the entry, not after them. */
const preloadScreen = (): Plugin => ({
  name: 'assay:preload-screen',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      if (chunks.length === 0) return [];
      const closureOf = (file: string | undefined, seen = new Set<string>()): Set<string> => {
        const chunk = chunks.find(({ fileName }) => fileName === file);
        if (chunk === undefined || seen.has(chunk.fileName)) return seen;
        seen.add(chunk.fileName);
        for (const needed of chunk.imports) closureOf(needed, seen);
        return seen;
      };
      const entry = closureOf(
        chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/index.html'))?.fileName,
      );
      const screens = SCREENS.map(([path, source]) => {
        const screen = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${source}`));
        if (screen === undefined) throw new Error(`There is no script of the screen ${source}.`);
        return { path, files: [...closureOf(screen.fileName).difference(entry)].map((file) => BASE + file) };
      });
      // Screens with the same scripts share a line, because every page carries this table.
      const shared = Map.groupBy(screens, ({ files }) => files.join());
      const table = [...shared.values()].map((same) => [
        `^${BASE.slice(0, -1)}(?:${same.map(({ path }) => path).join('|')})/?$`,
        same[0]?.files ?? [],
      ]);
      // Placed before the style sheet, because a script after it would wait until it is loaded.
      return [
        { tag: 'script', children: preloading(JSON.stringify(table)), injectTo: 'head-prepend' as const },
      ];
    },
  },
});
const preloading = (screens: string): string => `
      for (const [path, files] of ${screens})
        if (new RegExp(path).test(location.pathname))
          for (const href of files)
            document.head.append(
              Object.assign(document.createElement('link'), {
                rel: 'modulepreload',
                href,
                crossOrigin: '',
                nonce: document.currentScript.nonce,
              }),
            );
    `;

export default defineConfig({
  root: import.meta.dirname,
  base: BASE,
  plugins: [cutOperations(), react(), preloadFonts(), preloadScreen(), runEarly()],
  // Uses the bundle that the author of tldts publishes: a build from its modules contains the suffix list twice (126 kB
  // instead of 60 kB).
  resolve: { alias: { tldts: createRequire(import.meta.url).resolve('tldts/dist/index.esm.min.js') } },
  css: { modules: { generateScopedName: scopedName } },
  // The server replaces this placeholder with a fresh nonce on every page.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    manifest: true,
    // Inlined data URLs would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One style sheet of 9 kB: split by screen it would be 15 kB, and each screen would wait for its own.
    cssCodeSplit: false,
    rolldownOptions: {
      input: { index: join(import.meta.dirname, 'index.html'), early: EARLY },
      output: { codeSplitting: { groups: GROUPS } },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env.ASSAY_URL ?? 'http://127.0.0.1:8080', changeOrigin: false } },
  },
});
