import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { DOCS_SCRIPT } from './docs-script.ts';
import { hasEveryWord } from './docs-search.ts';

const TEXT = 'GET /threat-intel/reverse-ip Which domains point at this address? ip Networks';

describe('the search of the reference', () => {
  test.each([
    ['', true],
    ['reverse', true],
    ['REVERSE', true],
    ['domains get', true],
    ['  networks   ip ', true],
    ['/threat-intel/rev', true],
    ['reverse post', false],
    ['reverseip', false],
    ['.*', false],
  ])("'%s' finds the route: %s", (query, isFound) => {
    expect(hasEveryWord(TEXT, query)).toBe(isFound);
  });

  test('the page carries the same function, which needs nothing around it', () => {
    expect(DOCS_SCRIPT).toContain(hasEveryWord.toString());
    const alone = runInNewContext(`(${hasEveryWord.toString()})`) as typeof hasEveryWord;
    expect(alone(TEXT, 'reverse ip')).toBe(true);
    expect(alone(TEXT, 'reverse post')).toBe(false);
  });

  test('the scripts make no markup and end at no tag of their own', () => {
    expect(DOCS_SCRIPT).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(|<\//);
  });
});
