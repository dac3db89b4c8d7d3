import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Imports that are loaded with a module; those of types are erased, and `import()` runs later. */
const LOADED = /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)';$/gm;
const SOURCES = join(import.meta.dirname, '../..');

function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of readFileSync(join(SOURCES, file), 'utf8').matchAll(LOADED))
    if (name.startsWith('#')) loadedWith(name.slice(1), seen);
    else if (name.startsWith('.')) loadedWith(join(dirname(file), name), seen);
  return seen;
}

test('the program loads no capability before it knows the command, and the topics share only their frame', () => {
  const isCapability = (file: string) => file.startsWith('capabilities/');
  expect([...loadedWith('app/run-admin.ts')].filter(isCapability)).toEqual([]);
  expect(loadedWith('app/admin/access-commands.ts')).toContain('capabilities/access/store.ts');
  for (const other of ['cve-commands.ts', 'forms-commands.ts'])
    expect([...loadedWith(`app/admin/${other}`)].filter((file) => file.includes('/access/'))).toEqual([]);
});
