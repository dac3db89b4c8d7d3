import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const start = readFileSync(join(ROOT, 'server/start.js'), 'utf8');

test.each(['start', 'api', 'replicator', 'worker', 'migrate', 'admin'])(
  'npm run %s begins in JavaScript',
  (name) => {
    expect(scripts[name]).toBe(`node server/start.js ${name}`);
  },
);

test('an older Node gets the version message before any TypeScript is loaded', () => {
  const statement = start.replace(/^await import\('.+'\);$/gm, '');
  expect(statement).not.toBe(start);
  expect(statement).not.toContain('import');
  const said: string[] = [];
  const exits: number[] = [];
  const process = {
    versions: { node: '20.20.2' },
    version: 'v20.20.2',
    stderr: { write: (line: string) => said.push(line) },
    exit: (code: number) => exits.push(code),
  };
  runInNewContext(statement, { process });
  expect(said).toEqual([expect.stringContaining('Assay needs Node 26 or newer; this is v20.20.2.')]);
  expect(exits).toEqual([1]);
});
