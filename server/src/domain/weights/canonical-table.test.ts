import { expect, test } from 'vitest';
import { textOfTable } from './canonical-table.ts';
import type { LearnedTable } from './learned-table.ts';
import { SHIPPED_TABLE } from './shipped-table.ts';

/** The same table with every field and every row the other way round. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned).reverse();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, each]) => [name, turned(each)]),
  );
};

test('equal tables have the same text, whatever the order of rows and fields', () => {
  expect(textOfTable(turned(SHIPPED_TABLE) as LearnedTable)).toBe(textOfTable(SHIPPED_TABLE));
});

test('the text holds the whole table', () => {
  expect(JSON.parse(textOfTable(SHIPPED_TABLE))).toEqual(SHIPPED_TABLE);
});
