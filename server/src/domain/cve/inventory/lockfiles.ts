import { fieldOf, listAt, textAt } from '../fields.ts';
import { type GemVersion, parseGem } from './gem-version.ts';
import {
  createInventory,
  DEPTH_MAX,
  ENTRIES_MAX,
  type Inventory,
  type InventoryDraft,
  purlOf,
} from './inventory.ts';

const NAMES_MAX = 400;

const entriesAt = (value: unknown, name: string): readonly (readonly [string, unknown])[] => {
  const field = fieldOf(value, name);
  if (typeof field !== 'object' || field === null || Array.isArray(field)) return [];
  return Object.entries(field);
};

/** package-lock.json of lockfileVersion 1 (nested) and of 2 and 3 (a map of paths). */
export function readPackageLock(lock: unknown): Inventory {
  const draft = createInventory();
  const packages = draft.limited(entriesAt(lock, 'packages'), 'package');
  if (packages.length > 0) readPaths(packages, draft);
  else readNested(lock, draft);
  return draft.finish();
}

function readPaths(packages: readonly (readonly [string, unknown])[], draft: InventoryDraft): void {
  // The root and the entry of each workspace list their direct dependencies.
  const roots = packages.filter(([path]) => !path.includes('node_modules/')).map(([, entry]) => entry);
  const fields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  const direct = new Set(
    roots.flatMap((root) => fields.flatMap((field) => entriesAt(root, field).map(([name]) => name))),
  );
  for (const [path, entry] of packages) {
    if (path === '') continue;
    const at = path.lastIndexOf('node_modules/');
    const installed = path.slice(at + 'node_modules/'.length);
    if (at === -1 || fieldOf(entry, 'link') === true) draft.skip(path, 'local');
    else
      addNpm(draft, textAt(entry, 'name', NAMES_MAX) ?? installed, entry, at === 0 && direct.has(installed));
  }
}

function addNpm(draft: InventoryDraft, name: string, entry: unknown, isDirect: boolean): void {
  const version = textAt(entry, 'version', NAMES_MAX);
  if (version === null || /[:/]/.test(version)) {
    draft.skip(name, 'not-from-a-registry');
    return;
  }
  const isDev = fieldOf(entry, 'dev') === true || fieldOf(entry, 'devOptional') === true;
  draft.add({ name, version, purl: purlOf('npm', name, version), isDirect, isDev });
}

function readNested(lock: unknown, draft: InventoryDraft): void {
  let level: readonly unknown[] = [lock];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) {
      draft.skip(null, 'too-deep');
      return;
    }
    const next: unknown[] = [];
    for (const holder of level)
      for (const [name, entry] of draft.limited(entriesAt(holder, 'dependencies'), 'dependency')) {
        // The version of an alias contains its true name: `npm:name@1.2.3`.
        const alias = /^npm:(.+)@([^@]+)$/.exec(textAt(entry, 'version', NAMES_MAX) ?? '');
        if (alias === null) addNpm(draft, name, entry, false);
        else addNpm(draft, alias[1] ?? name, { version: alias[2], dev: fieldOf(entry, 'dev') }, false);
        next.push(entry);
      }
    level = next;
  }
}

export function readComposerLock(lock: unknown): Inventory {
  const draft = createInventory();
  for (const [field, isDev] of [
    ['packages', false],
    ['packages-dev', true],
  ] as const)
    for (const entry of draft.limited(listAt(lock, field, ENTRIES_MAX + 1), 'package')) {
      const name = textAt(entry, 'name', NAMES_MAX);
      const version = textAt(entry, 'version', NAMES_MAX);
      if (name === null) draft.skip(null, 'no-name');
      else if (version === null || /^dev-|-dev$/.test(version)) draft.skip(name, 'not-from-a-registry');
      else draft.add({ name, version, purl: purlOf('composer', name, version), isDev });
    }
  return draft.finish();
}

function withoutComment(line: string): string {
  const start = line.search(/(?:^|\s)#/);
  return start === -1 ? line : line.slice(0, start);
}

const REQUIREMENT = /^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(.*)$/;

/** requirements.txt: pinned names have a version, others are kept without one. */
export function readRequirements(text: string): Inventory {
  const draft = createInventory();
  const lines = text.replace(/\\\r?\n/g, ' ').split(/\r?\n/, ENTRIES_MAX + 1);
  for (const line of draft.limited(lines, 'line')) {
    const bare = withoutComment(line)
      .replace(/\s--hash[=\s]\S+/g, '')
      .trim();
    if (bare === '') continue;
    if (bare.startsWith('-') || /^[a-z+]+:\/\/|^[./]/i.test(bare)) {
      draft.skip(bare, 'not-from-a-registry');
      continue;
    }
    const found = REQUIREMENT.exec(bare);
    const [specifier = ''] = (found?.[2] ?? '').split(';', 1);
    const name = found?.[1]?.toLowerCase().replace(/[-_.]+/g, '-');
    if (name === undefined) draft.skip(bare, 'unreadable');
    else if (specifier.trim().startsWith('@')) draft.skip(name, 'not-from-a-registry');
    else {
      const version = /^\(?={2,3}\s*([^\s,*)]+)\)?$/.exec(specifier.trim())?.[1] ?? null;
      draft.add({ name, version, purl: purlOf('pypi', name, version), isDirect: true });
    }
  }
  return draft.finish();
}

export function readGemfileLock(text: string): Inventory {
  const draft = createInventory();
  const lines = draft.limited(text.split(/\r?\n/, ENTRIES_MAX + 1), 'line');
  const direct = new Set(
    sectionOf(lines, 'DEPENDENCIES').map((line) => /^ {2}([^\s!(]+)/.exec(line)?.[1] ?? ''),
  );
  for (const [section, isFromRegistry] of [
    ['GEM', true],
    ['GIT', false],
    ['PATH', false],
  ] as const)
    for (const line of sectionOf(lines, section)) {
      const spec = /^ {4}(\S+) \(([^)\s]+)\)$/.exec(line);
      if (spec === null) continue;
      const name = spec[1] ?? '';
      if (!isFromRegistry) {
        draft.skip(name, section === 'PATH' ? 'local' : 'not-from-a-registry');
        continue;
      }
      const { version }: GemVersion = parseGem(spec[2] ?? '');
      draft.add({ name, version, purl: purlOf('gem', name, version), isDirect: direct.has(name) });
    }
  return draft.finish();
}

/** The lines of all sections with this head, because a file may have several GEM sections. */
function sectionOf(lines: readonly string[], head: string): readonly string[] {
  const found: string[] = [];
  let isInside = false;
  for (const line of lines) {
    if (/^\S/.test(line)) isInside = line.trim() === head;
    else if (isInside) found.push(line);
  }
  return found;
}

export function readCargoLock(text: string): Inventory {
  const draft = createInventory();
  for (const block of text.split(/^\[\[package\]\]\s*$/m).slice(1)) {
    const value = (key: string) => new Map(keyLines(block)).get(key) ?? null;
    const name = value('name');
    const version = value('version');
    const source = value('source');
    if (name === null) draft.skip(null, 'no-name');
    else if (source === null) draft.skip(name, 'local');
    else if (!source.startsWith('registry+') && !source.startsWith('sparse+'))
      draft.skip(name, 'not-from-a-registry');
    else draft.add({ name, version, purl: purlOf('cargo', name, version) });
  }
  return draft.finish();
}

const keyLines = (block: string): readonly (readonly [string, string])[] =>
  Array.from(
    block.matchAll(/^([a-z]+) = "([^"\n]*)"\r?$/gm),
    ([, key = '', text = '']) => [key, text] as const,
  );
