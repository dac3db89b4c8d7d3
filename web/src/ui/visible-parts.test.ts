import { expect, test } from 'vitest';
import { visibleParts, visibleText } from './visible-parts.ts';

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['gnp\u202eexe', 'gnpU+202Eexe'],
  ['a\u200bb\u0007', 'aU+200BbU+0007'],
  ['half \ud83d', 'half U+D83D'],
  ['مثال 😀', 'مثال 😀'],
])('%j is shown as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test('an invisible character is a part of its own', () => {
  expect(visibleParts('a\u202eb')).toEqual([
    { text: 'a', isHidden: false },
    { text: 'U+202E', isHidden: true },
    { text: 'b', isHidden: false },
  ]);
});
