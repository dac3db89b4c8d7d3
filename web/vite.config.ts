import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const BASE = '/app/';
const EARLY = join(import.meta.dirname, 'src/early.ts');

/**
 * Forty small files compress worse than a few and wait for one another: what the entry needs is one of them, what several
 * screens share another, and what the indicator page shares with the parts that come after it a third.
 */
const GROUPS = [
  // Small, so that it runs first: what a page needs to send its question.
  {
    name: 'early',
    test: /\/web\/src\/(?:early|service\/(?:client|early-check|early-question)|screens\/indicator\/plain-target)\.ts|\/sdk\/src\/(?!verdict|advice)/,
  },
  { name: 'index', tags: ['$initial' as const] },
  // A list, not code: it stays in a cache for as long as the list is the same.
  { name: 'public-suffixes', test: /node_modules\/tldts\// },
  {
    name: 'parts',
    test: /\/web\/src\/(?:(?:ui|words)\/(?!layer)|box\/indicator-link|service\/recent|charts\/chart-table)|\/sdk\/src\/(?:verdict|advice)/,
    minShareCount: 2,
  },
  {
    name: 'check',
    test: /\/web\/src\/(?:screens\/indicator\/(?:(?!panels)|panels\/subject-words)|charts\/waterfall)/,
    minShareCount: 2,
  },
  { name: 'panels', test: /\/screens\/indicator\/panels\/|\/charts\/use-width/, minShareCount: 2 },
];

/** One ending for all names of a file: the usual ones end in the line as well, which no page needs to download. */
const scopedName = (name: string, file: string): string =>
  `${name}_${createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 4)}`;

/** Both families are on every page, so the browser is told of them before it has read the style sheet. */
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

/** Runs as soon as it is here, whatever else is still on its way. */
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

/** Without its script the page is a colour: painting that first takes time from the paint that says something. */
const drawOnce = (): Plugin => ({
  name: 'assay:draw-once',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const drawn = html.replace(`crossorigin src="${BASE}assets/index-`, `blocking="render" $&`);
      if (drawn === html && !html.includes('/src/main.tsx')) throw new Error('The entry was not found.');
      return drawn;
    },
  },
});

/** Which screen an address opens, by what follows the base. Each must exist: a build without one of them fails. */
const SCREENS = [
  ['', 'check-home/check-home.tsx'],
  ['(?:ip|domain|hash|url)/.*', 'indicator/indicator-page.tsx'],
  ['bulk', 'bulk/bulk-page.tsx'],
  ['overview', 'overview/overview-page.tsx'],
  ['status/data', 'freshness/freshness-page.tsx'],
  ['sign-in', 'sign-in/sign-in-page.tsx'],
] as const;

/** The page asks for the scripts of its screen beside those of the entry, not after them. */
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
        const screen = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/screens/${source}`));
        if (screen === undefined) throw new Error(`There is no script of the screen ${source}.`);
        return [
          `^${BASE}${path}$`,
          [...closureOf(screen.fileName).difference(entry)].map((file) => BASE + file),
        ];
      });
      // Before the style sheet: a script after it waits for it.
      return [
        { tag: 'script', children: preloading(JSON.stringify(screens)), injectTo: 'head-prepend' as const },
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
  plugins: [react(), preloadFonts(), preloadScreen(), runEarly(), drawOnce()],
  // The same code, packed by its author: the parts it is made of carry the list of suffixes twice (126 kB against 60).
  resolve: { alias: { tldts: createRequire(import.meta.url).resolve('tldts/dist/index.esm.min.js') } },
  css: { modules: { generateScopedName: scopedName } },
  // The server puts a fresh nonce in its place with every page.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    manifest: true,
    // Data URLs would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // All of it is 9 kB: in pieces it is 15, and a screen waits for its piece.
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
