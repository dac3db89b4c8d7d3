import { expect, test } from 'vitest';
import { oneOf } from './one-of.ts';

test.each([
  [[], ''],
  [['PRO'], 'PRO'],
  [['PRO', 'ENTERPRISE'], 'PRO or ENTERPRISE'],
  [['BASIC', 'PRO', 'ENTERPRISE'], 'BASIC, PRO or ENTERPRISE'],
])('%j is "%s"', (names, words) => expect(oneOf(names)).toBe(words));
