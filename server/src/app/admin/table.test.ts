import { describe, expect, test } from 'vitest';
import { count, renderTable } from './table.ts';

const COLUMNS = [
  { title: 'source', widthMax: 12 },
  { title: 'rows', align: 'right' },
  { title: 'note' },
] as const;

describe('a table', () => {
  test('aligns names left and numbers right, without trailing spaces', () => {
    expect(
      renderTable(COLUMNS, [
        ['ipsum', count(120_430), ''],
        ['spam404', '8', 'kept'],
        null,
        ['2 sources', '120,438', ''],
      ]),
    ).toEqual([
      'source        rows  note',
      '---------  -------  ----',
      'ipsum      120,430',
      'spam404          8  kept',
      '---------  -------  ----',
      '2 sources  120,438',
    ]);
  });

  test('cuts long cells and keeps each cell on one line', () => {
    const [, , row] = renderTable(COLUMNS, [['a-very-long-source-name', '1', 'two\nlines\u001b[31m red']]);
    expect(row).toBe('a-very-long…     1  two lines [31m red');
  });

  test('is empty without rows', () => {
    expect(renderTable(COLUMNS, [])).toEqual([]);
    expect(renderTable(COLUMNS, [null])).toEqual([]);
  });
});
