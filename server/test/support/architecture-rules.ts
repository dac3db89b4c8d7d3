import { posix } from 'node:path';
import { CAPABILITY_MAP } from './capability-map.ts';
import { type ImportEdge, importsOf, type Scan, type SourceFile, scanSource } from './scan-source.ts';

/** The only files that may work across accounts (foundation rule 2). */
const SYSTEM_USERS: readonly string[] = [
  'src/platform/postgres.ts',
  'src/platform/jobs.ts',
  'src/platform/replica/replicator.ts',
  'src/app/open-parts.ts',
  'src/app/build-worker.ts',
  'src/app/build-operators.ts',
  'src/app/refuse-unmigrated.ts',
  'src/app/admin/account-options.ts',
  'src/app/admin/feeds-commands.ts',
];

const LAYERS: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  platform: ['platform'],
  capabilities: ['capabilities', 'domain', 'platform'],
  app: ['app', 'capabilities', 'domain', 'platform'],
};
/** Pure libraries only: no I/O, no clock, no randomness. */
const DOMAIN_PACKAGES =
  /^(?:tldts|ipaddr\.js|libphonenumber-js|postal-mime|yaml|@noble\/[a-z-]+|@scure\/[a-z-]+)(?:\/|$)/;
/** The `exports` of the package, which the dashboard bundles for browsers. */
export const BROWSER_ENTRIES: readonly string[] = [
  'src/domain/indicator/index.ts',
  'src/domain/lookalike/punycode.ts',
  'src/domain/stix/index.ts',
  'src/domain/text/csv.ts',
  'src/domain/text/inert-text.ts',
];
/** Pure and small packages; libphonenumber-js is excluded for its size. */
const BROWSER_PACKAGES = /^(?:tldts|@noble\/hashes|@scure\/base)(?:\/|$)/;
const IMPURE =
  /\b(?:Date\s*\.\s*now|Math\s*\.\s*random|performance\s*\.|process\s*[.[]|globalThis\s*[.[]|setTimeout|setInterval|setImmediate|queueMicrotask|fetch\s*\(|crypto\s*\.|console\s*\.)|\bnew\s+Date\s*\(\s*\)|\bDate\s*\(\s*\)/;
const WALL_CLOCK =
  /\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bnew\s+Date\b(?!\s*\()|(?<!new\s+)\bDate\s*\(/;
const ENVIRONMENT = /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[|\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/;
const SQL_TAG = /\bsql\s*(?:<[^;`]*>)?\s*`$/;
const SQL_VERB = /\b(?:select|insert|update|delete|merge|truncate|copy)\b/i;
const SQL_TEXT =
  /^\s*(?:with\s+\w+\s+as\b|select\s[\s\S]*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|truncate\s+\w|copy\s+\S+\s*(?:\(|from\b|to\b))/i;
const LINES_MAX = 400;
const BANNED_NAMES =
  /^(?:utils?|helpers?|types|common|constants|manager|misc|lib|enums?)$|-(?:utils?|helpers?|manager)$/;

/** A code base that was read once; the input of every rule. */
export type House = {
  readonly files: readonly SourceFile[];
  /** Product code: TypeScript under src, without tests. */
  readonly sources: readonly Source[];
  readonly map: Readonly<Record<string, readonly string[]>>;
};
export type Source = SourceFile & {
  readonly scan: Scan;
  readonly layer: string;
  readonly capability: string;
  readonly imports: readonly (ImportEdge & { readonly target: string | null })[];
};

export type Rule = (house: House) => readonly string[];

export function readHouse(files: readonly SourceFile[], map = CAPABILITY_MAP): House {
  const sources = files.filter(({ path }) => isProduct(path)).map(readSource);
  return { files, sources, map };
}

const isProduct = (path: string) => /^src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts');

function readSource(file: SourceFile): Source {
  const scan = scanSource(file.text);
  const imports = importsOf(scan).map((edge) => ({ ...edge, target: resolve(file.path, edge.specifier) }));
  return { ...file, scan, imports, ...placeOf(file.path) };
}

const placeOf = (path: string) => {
  const [, layer = '', capability = ''] = path.split('/');
  return { layer, capability: layer === 'capabilities' ? capability : '' };
};

/**
 * The file that a specifier names, relative to the server folder; null for a package or a built-in module.
 */
function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('#test/')) return `test/support/${specifier.slice(6)}`;
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null;
}

const each = (house: House, find: (source: Source) => readonly string[]): readonly string[] =>
  house.sources.flatMap((source) => find(source).map((what) => `${source.path}: ${what}`));

const eachImport = (
  house: House,
  find: (edge: Source['imports'][number], source: Source) => string | null,
): readonly string[] => each(house, (source) => source.imports.flatMap((edge) => find(edge, source) ?? []));

/**
 * Modules that open connections, which only the guarded files may import (reliability 3.S). Mail is one of them: it connects
 * to the host that the operator wrote into SMTP_URL, and a caller can name no other.
 */
const CONNECTING = /^(?:undici|nodemailer(?:\/.*)?|node:(?:tls|https|http2|dgram|dns(?:\/promises)?))$/;
const WAYS_OUT = /^src\/platform\/(?:outbound(?:\.ts|\/)|dns(?:\.ts|\/)|mail(?:\.ts|\/))/;

const only = (pattern: RegExp, mayContain: (source: Source) => boolean, what: string): Rule => {
  return (house) =>
    each(house, (source) => (!mayContain(source) && pattern.test(source.scan.code) ? [what] : []));
};

export const RULES: Readonly<Record<string, Rule>> = {
  'imports point downwards': (house) =>
    eachImport(house, ({ target, specifier }, { layer }) => {
      if (target === null || LAYERS[layer]?.includes(placeOf(target).layer) === true) return null;
      return target.startsWith('test/') || LAYERS[layer] !== undefined
        ? `${layer} may not import ${specifier}`
        : `there is no layer '${layer}'`;
    }),

  'every local import names a file that exists': (house) => {
    const known = new Set(house.files.map(({ path }) => path));
    return eachImport(house, ({ target, specifier }) =>
      target === null || known.has(target) || !target.endsWith('.ts') ? null : `${specifier} is not there`,
    );
  },

  'domain uses pure packages only': (house) =>
    eachImport(house, ({ target, specifier }, { layer }) =>
      layer !== 'domain' || target !== null || DOMAIN_PACKAGES.test(specifier)
        ? null
        : `${specifier} is not a pure package`,
    ),

  'what browsers load is domain and small packages, and nothing of Node': (house) => {
    const loaded = new Set(reachableFrom(BROWSER_ENTRIES, house.sources));
    return house.sources
      .filter(({ path }) => loaded.has(path))
      .flatMap(({ path, imports, scan }) => [
        ...imports.flatMap(({ target, specifier }) => {
          const isFit =
            target === null ? BROWSER_PACKAGES.test(specifier) : placeOf(target).layer === 'domain';
          return isFit ? [] : [`${path}: ${specifier} does not belong into a browser`];
        }),
        ...(/\bBuffer\b/.test(scan.code) ? [`${path}: Buffer is Node's`] : []),
      ]);
  },

  'domain has no clock, randomness, process or network': (house) =>
    each(house, ({ layer, scan }) => {
      const found = layer === 'domain' ? IMPURE.exec(scan.code) : null;
      return found === null ? [] : [`${found[0].trim()} is not pure`];
    }),

  'capabilities lean on each other along the map': (house) =>
    eachImport(house, ({ target }, { capability }) => {
      const other = target === null ? '' : placeOf(target).capability;
      if (capability === '' || other === '' || other === capability) return null;
      return house.map[capability]?.includes(other) === true
        ? null
        : `${capability} may not lean on ${other}`;
    }),

  'a capability is seen through its index.ts': (house) =>
    eachImport(house, ({ target, specifier }, source) => {
      const other = target === null ? '' : placeOf(target).capability;
      if (other === '' || other === source.capability) return null;
      return target === `src/capabilities/${other}/index.ts` ? null : `${specifier} reaches past index.ts`;
    }),

  'the capability map has no cycle': ({ map }) =>
    cyclesIn(Object.keys(map), (name) => map[name] ?? []).map((cycle) => `map: ${cycle.join(' -> ')}`),

  'every capability is in the map': ({ files, map }) =>
    capabilitiesIn(files).flatMap((name) => (map[name] === undefined ? [`${name} is not in the map`] : [])),

  'every capability has a README.md and an index.ts': ({ files }) =>
    capabilitiesIn(files).flatMap((name) =>
      ['README.md', 'index.ts'].flatMap((needed) => {
        const path = `src/capabilities/${name}/${needed}`;
        return files.some((file) => file.path === path && file.text.trim() !== '')
          ? []
          : [`${path} is missing`];
      }),
    ),

  'imports have no cycle': ({ sources }) =>
    cyclesIn(
      sources.map(({ path }) => path),
      importedBy(sources, () => true),
    ).map((cycle) => cycle.join(' -> ')),

  'files end before 400 lines': ({ files }) =>
    files.flatMap(({ path, text }) => {
      const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
      return path.endsWith('.ts') && lines > LINES_MAX ? [`${path} has ${lines} lines`] : [];
    }),

  'process.env is read in config.ts only': only(
    ENVIRONMENT,
    ({ path }) => path === 'src/platform/config.ts',
    'reads the environment',
  ),

  'the wall clock is read in clock.ts only': only(
    WALL_CLOCK,
    ({ path }) => path === 'src/platform/clock.ts',
    'reads the wall clock',
  ),

  'SQL is written in store.ts files and the platform only': (house) =>
    each(house, ({ path, layer, scan }) => (mayWriteSql(path, layer) || !hasSql(scan) ? [] : ['writes SQL'])),

  'only listed files work across accounts': (house) =>
    each(house, ({ path, scan }) => {
      const isUser =
        /\basSystem\b/.test(scan.code) || scan.literals.some(({ text }) => text === 'assay_system');
      if (isUser === SYSTEM_USERS.includes(path)) return [];
      return [
        isUser
          ? 'works across accounts and is not listed'
          : 'is listed as working across accounts and does not',
      ];
    }),

  'only the guarded ways out open connections': (house) => [
    ...eachImport(house, ({ specifier, isTypeOnly }, { path }) =>
      isTypeOnly || !CONNECTING.test(specifier) || WAYS_OUT.test(path)
        ? null
        : `${specifier} opens connections`,
    ),
    ...only(/(?<![.\w])fetch\s*\(/, ({ path }) => WAYS_OUT.test(path), 'fetches by itself')(house),
  ],

  'import() is used in app only': (house) =>
    each(house, ({ layer, scan }) =>
      layer !== 'app' && /\bimport\s*\(/.test(scan.code) ? ['uses import()'] : [],
    ),

  'names say what a file holds': ({ files }) =>
    files.flatMap(({ path }) => {
      const parts = path.replace(/(?:\.\w+)+$/, '').split('/');
      return path.startsWith('src/') && parts.some((part) => BANNED_NAMES.test(part))
        ? [`${path} says nothing`]
        : [];
    }),

  'exports are named': only(/\bexport\s+default\b/, () => false, 'has a default export'),
};

/** `store.ts`, or `<noun>-store.ts` where one file would pass 400 lines; a folder of a capability may have its own. */
const mayWriteSql = (path: string, layer: string): boolean =>
  layer === 'platform' || /^src\/capabilities\/[^/]+\/(?:[a-z-]+\/)?(?:[a-z-]+-)?store\.ts$/.test(path);

const hasSql = ({ code, literals }: Scan): boolean =>
  literals.some(
    ({ at, text }) =>
      SQL_TEXT.test(text) || (SQL_TAG.test(code.slice(Math.max(0, at - 500), at)) && SQL_VERB.test(text)),
  );

const capabilitiesIn = (files: readonly SourceFile[]): readonly string[] => [
  ...new Set(files.flatMap(({ path }) => /^src\/capabilities\/([^/]+)\//.exec(path)?.[1] ?? [])),
];

function importedBy(
  sources: readonly Source[],
  counts: (edge: ImportEdge) => boolean,
): (path: string) => readonly string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return (path) =>
    (byPath.get(path)?.imports ?? []).flatMap((edge) =>
      edge.target !== null && counts(edge) && byPath.has(edge.target) ? [edge.target] : [],
    );
}

function reachableFrom(entries: readonly string[], sources: readonly Source[]): readonly string[] {
  // Type-only imports are erased and load nothing.
  const loads = importedBy(sources, ({ isTypeOnly }) => !isTypeOnly);
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const target of loads(path)) visit(target);
  };
  for (const entry of entries) visit(entry);
  return [...seen];
}

/** One cycle per strongly connected group, as a closed path; depth first, each name visited once. */
function cyclesIn(
  names: readonly string[],
  targetsOf: (name: string) => readonly string[],
): readonly string[][] {
  const state = new Map<string, 'open' | 'done'>();
  const trail: string[] = [];
  const cycles: string[][] = [];
  const visit = (name: string): void => {
    if (state.get(name) === 'done') return;
    if (state.get(name) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(name)), name]);
      return;
    }
    state.set(name, 'open');
    trail.push(name);
    for (const target of targetsOf(name)) visit(target);
    trail.pop();
    state.set(name, 'done');
  };
  for (const name of names) visit(name);
  return cycles;
}
