import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../src');

type Source = { readonly path: string; readonly text: string; readonly imports: readonly string[] };

const files: readonly Source[] = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:tsx?|css)$/.test(entry.name) && !entry.name.includes('.test.'))
  .map((entry) => {
    const full = join(entry.parentPath, entry.name);
    const text = readFileSync(full, 'utf8');
    return { path: relative(SRC, full), text, imports: importsOf(text, dirname(relative(SRC, full))) };
  });

/** The imports of a file; relative ones as paths below src. */
function importsOf(text: string, folder: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target = '']) =>
    target.startsWith('.') ? join(folder, target) : target,
  );
}

const code = files.filter(({ path }) => /\.tsx?$/.test(path));
const folderOf = (path: string) => path.split('/')[0] ?? '';
const screenOf = (path: string) => path.split('/')[1] ?? '';
const offenders = (is: (source: Source) => boolean, among: readonly Source[] = code) =>
  among.filter(is).map(({ path }) => path);

/** The folders that each folder may import; screens are the top layer, words the bottom. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  screens: ['screens', 'secrets', 'box', 'ui', 'charts', 'words', 'service', 'frame', 'navigation'],
  frame: ['frame', 'box', 'ui', 'words', 'service', 'navigation'],
  secrets: ['secrets', 'ui', 'words', 'service', 'frame', 'navigation'],
  box: ['box', 'ui', 'words', 'service', 'frame', 'navigation'],
  navigation: ['navigation'],
  charts: ['charts', 'ui', 'words'],
  ui: ['ui', 'words', 'service', 'frame'],
  service: ['service', 'words'],
  words: ['words'],
};
const FRAME_FACE = ['actions.ts', 'announce.tsx', 'title.ts', 'preferences.ts'].map(
  (name) => `frame/${name}`,
);

describe('the module boundaries of the dashboard', () => {
  test('the checker finds the files', () => {
    expect(code.length).toBeGreaterThan(40);
  });

  test('a folder imports only folders below it', () => {
    const crossings = code.flatMap(({ path, imports }) => {
      const allowed = MAY_IMPORT[folderOf(path)];
      if (allowed === undefined) return [];
      return imports
        .filter((target) => MAY_IMPORT[folderOf(target)] !== undefined && !allowed.includes(folderOf(target)))
        .map((target) => `${path} -> ${target}`);
    });
    expect(crossings).toEqual([]);
  });

  test('no screen imports another', () => {
    const crossings = code.flatMap(({ path, imports }) =>
      imports
        .filter((target) => folderOf(path) === 'screens' && folderOf(target) === 'screens')
        .filter((target) => screenOf(target) !== screenOf(path))
        .map((target) => `${path} -> ${target}`),
    );
    expect(crossings).toEqual([]);
  });

  test('screens, charts and parts import only the public files of the frame', () => {
    const crossings = code.flatMap(({ path, imports }) =>
      imports
        .filter((target) => folderOf(target) === 'frame' && !['frame', 'main.tsx'].includes(folderOf(path)))
        .filter((target) => !FRAME_FACE.includes(target))
        .map((target) => `${path} -> ${target}`),
    );
    expect(crossings).toEqual([]);
  });

  test('react-aria-components is imported by component: the whole package costs 40 kB', () => {
    expect(offenders(({ imports }) => imports.includes('react-aria-components'))).toEqual([]);
  });

  test('only the exported pure folders of the server are imported', () => {
    const asked = code.flatMap(({ imports }) =>
      imports.filter((target) => target.startsWith('@assay/server')),
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(
      asked.filter((target) => !/^@assay\/server\/(?:csv|indicator|punycode|stix|text)$/.test(target)),
    ).toEqual([]);
    expect(offenders(({ imports }) => imports.some((target) => target.includes('server/src')))).toEqual([]);
  });

  test('only the SDK calls the service, and no text is turned into markup', () => {
    const talking = /\bfetch\(|XMLHttpRequest|EventSource|WebSocket|sendBeacon/;
    expect(offenders(({ text }) => talking.test(text))).toEqual([]);
    const markup = /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write\(/;
    expect(offenders(({ text }) => markup.test(text))).toEqual([]);
    // A separate client would bypass the settings of the shared one.
    const making = ({ path, text }: Source) =>
      path !== 'service/client.ts' && /create(?:Page)?Assay\(/.test(text);
    expect(offenders(making)).toEqual([]);
  });

  test('colours of evidence appear in the verdict mark and in charts only', () => {
    const evidence = /var\(--(?:malicious|suspicious|unknown|good|infrastructure)\b/;
    const strays = offenders(
      ({ path, text }) =>
        evidence.test(text) && !path.startsWith('ui/verdict-mark') && folderOf(path) !== 'charts',
      files,
    );
    expect(strays).toEqual([]);
  });

  test('no colour is defined outside the tokens', () => {
    const literal = /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i;
    const strays = offenders(
      ({ path, text }) =>
        path.endsWith('.css') && literal.test(text.replaceAll(/rgb\(0 0 0 \/ [\d.]+\)/g, '')),
      files.filter(({ path }) => path !== 'style/tokens.css'),
    );
    expect(strays).toEqual([]);
  });
});
