import { expect, test } from 'vitest';
import { SHIPPED_BOOK, SHIPPED_TABLE, textOfTable } from '#domain/weights/index.ts';
import { digestOf, parseTable } from './table-file.ts';

test('a stored table is read back whole', () => {
  expect(parseTable(textOfTable(SHIPPED_TABLE))).toEqual(SHIPPED_TABLE);
});

test('the digest of the shipped table is that of its book', () => {
  expect(digestOf(SHIPPED_TABLE)).toBe(SHIPPED_BOOK.digest);
});

test('what is no table is refused', () => {
  expect(() => parseTable('{"version":"2026-08-24.1"}')).toThrow();
  expect(() => parseTable(textOfTable(SHIPPED_TABLE).replace('"f":0.0', '"f":-0.0'))).toThrow();
});
