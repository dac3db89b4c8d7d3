import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLines, missingLine, readmeSteps, serviceOf } from './support/readme-steps.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'README.md'), 'utf8');
const steps = readmeSteps(page);
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

// The commands themselves are run by the proof `readme-walk`.
describe('README', () => {
  test('every command block is one that the walk runs', () => {
    expect(steps.length).toBeGreaterThan(4);
    // A block of another language, such as `bash`, would be skipped by the walk without a word.
    const languages = [...page.matchAll(/^```(\w*)\n[\s\S]*?^```$/gm)].map(([, language]) => language);
    expect(new Set(languages)).toEqual(new Set(['sh', 'text']));
  });

  test('every npm script that it names exists', () => {
    const named = [...page.matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('what a service prints when it is ready is shown below its command', () => {
    const services = steps.filter((step) => serviceOf(step) !== null);
    expect(services.map(serviceOf)).toEqual(['npm run demo', 'npm start']);
    for (const { expected } of services) expect(expected.length).toBeGreaterThan(0);
  });

  test('development commands are in CONTRIBUTING', () => {
    expect(page).not.toMatch(/npm run (bench|proofs|check|test)/);
  });
});

describe('the reader of command blocks', () => {
  test('takes the text block right below a command block as its output', () => {
    const read = readmeSteps(
      'a\n\n```sh\none   # two\n```\n\n```text\nthree\n```\n\n```sh\nfour\n```\nword\n```text\nfive\n```\n',
    );
    expect(read).toEqual([
      { line: 3, commands: 'one   # two', expected: ['three'] },
      { line: 11, commands: 'four', expected: [] },
    ]);
  });

  test('reads one command a line, without comments', () => {
    expect(commandLines("one # two\n# three\nfour \\\n  five\ncurl 'a#b'")).toEqual([
      'one',
      'four five',
      "curl 'a#b'",
    ]);
  });

  test('finds an expected line that is missing, in another order or different', () => {
    expect(missingLine(['a … c', 'd'], 'x\na b c\nd\n')).toBeNull();
    expect(missingLine(['a … c'], 'a b d')).toBe('a … c');
    expect(missingLine(['d', 'a'], 'a\nd')).toBe('a');
  });
});
