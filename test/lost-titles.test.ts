import { expect, test } from 'vitest';
import { lostTitles } from './lost-titles.ts';

test('a title that moved to another block is found, and one that vanished is lost', () => {
  const before = ['meters > a refusal costs nothing', 'a key is refused'];
  expect(lostTitles(before, ['limits > a refusal costs nothing'], '').lost).toEqual(['a key is refused']);
});

test('a rename explains a title only when the new title exists, and a removal only with a reason', () => {
  const before = ['old one', 'old two', 'old three'];
  const renamed = 'old one => new one\nold two => never written\nold three => (gone) proven by new one\n';
  expect(lostTitles(before, ['new one'], renamed)).toEqual({ lost: ['old two'], explained: 2 });
  expect(lostTitles(['old three'], [], 'old three => (gone)').lost).toEqual(['old three']);
});
