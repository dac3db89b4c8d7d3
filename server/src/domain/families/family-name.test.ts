import { expect, test } from 'vitest';
import { familyNameOf } from './family-name.ts';
import { FAMILY_TABLE, NO_FAMILY } from './family-table.ts';

test.each([
  [
    'Remcos',
    ['remcos', 'Remcos RAT', 'win.remcos', 'RemcosRAT', 'REMCOS_RAT', ' remcos-rat ', 'Ｒｅｍｃｏｓ'],
  ],
  ['Mirai', ['elf.mirai', 'elf_mirai', 'Mirai', 'MIRAI']],
  ['Foo', ['js.foo', 'foo', 'FOO', 'apk.foo', 'py.foo', 'foo-1']],
  ['Cobalt Strike', ['win.cobalt_strike', 'Cobalt Strike', 'cobaltstrike-2', 'CobaltStrike', 'Cobaltstrike']],
  ['Emotet', ['win.emotet', 'Heodo', 'emotet', 'Geodo']],
  ['Lumma', ['Lumma Stealer', 'LummaC2', 'win.lumma', 'lummac2']],
  ['SocGholish', ['js.fakeupdates', 'FAKEUPDATES', 'SocGholish']],
  ['Gozi', ['Ursnif', 'win.isfb', 'Gozi']],
  ['Atomic Stealer', ['osx.amos', 'osx_atomic', 'AMOS']],
  ['Agent Tesla', ['AgentTesla', 'win.agent_tesla', 'tesla']],
  ['Kimsuky', ['apt_kimsuky', 'Kimsuky', 'APT43']],
  ['Fancy Bear', ['APT28', 'apt_28', 'apt_sofacy']],
])('%s is one family in every spelling', (name, words) => {
  expect(words.map(familyNameOf)).toEqual(words.map(() => name));
});

test('a suffix is part of the name unless the table says otherwise', () => {
  expect(familyNameOf('Fabled Loader')).toBe('Fabledloader');
  expect(familyNameOf('Fabled')).toBe('Fabled');
});

test.each([
  '',
  ' - ',
  'generic',
  'Unknown malware',
  'android_generic',
  'elf.coinminer',
  'Unknown RAT',
  'ek_generic',
])('%j names no family', (word) => {
  expect(familyNameOf(word)).toBeNull();
});

test('the name of a family is its own normal form', () => {
  for (const [name] of FAMILY_TABLE) expect(familyNameOf(name)).toBe(name);
});

test('no word of the table belongs to two families, and none of them says that there is no family', () => {
  const words = FAMILY_TABLE.flatMap((row) => [
    ...new Set(row.map((word) => word.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))),
  ]);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  expect(NO_FAMILY.filter((word) => words.includes(word))).toEqual([]);
});
