import { expect, test } from 'vitest';
import { generationOf, isSiteOfGroup } from './families.ts';
import { groupKeyOf } from './group-name.ts';

test.each([
  ['lockbit', 'lockbit', 'lockbit'],
  ['lockbit2', 'lockbit', 'lockbit2'],
  ['LOCKBIT 2.0', 'lockbit', 'lockbit2'],
  ['lockbit3_fs', 'lockbit', 'lockbit3'],
  ['LOCKBIT 4.0 Control Panel', 'lockbit', 'lockbit4'],
  ['LOCKBIT 6.0', 'lockbit', 'lockbit6'],
  ['BABUK v2', 'babuk', 'babuk2'],
  ['hiveleak', 'hive', 'hiveleak'],
  ['Kill Security 3.0', 'killsec', 'killsecurity3'],
])('%s is of the family %s, generation %s', (name, family, generation) => {
  expect(generationOf(groupKeyOf(name))).toEqual({ family, generation });
});

test.each([
  '8base',
  'cicada3301',
  'crypto24',
  'medusa',
  'lockbitten',
  'hivemind',
  'apt73',
  'babukbjorka',
  '',
])('%s has no family', (name) => {
  expect(generationOf(groupKeyOf(name))).toBeNull();
});

test('a tool panel is no group; a group whose name ends alike is one', () => {
  expect(['LOCKBIT 4.0 Control Panel', 'BLACKMATTER Support', 'lockbit3_fs'].map(isSiteOfGroup)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['Akira', 'Support', 'panel', 'Black Basta', 'offs'].map(isSiteOfGroup)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});
