import { describe, expect, test } from 'vitest';
import { replyTo, rowOf } from './bulk-rows.fixture.ts';
import { createKeptRun, KEPT_ROWS_MAX, type KeptBatch, textMarkOf } from './kept-run.ts';

const TALLY = { pasted: 5, duplicates: 1, skipped: [{ why: 'private', count: 1 }] };
const ENTITIES = ['a.example', 'b.example', 'c.example'];
const HEAD = { account: 'usr_1', entities: ENTITIES, tally: TALLY, textMark: 'mark' };
const batchOf = (...entities: readonly string[]): KeptBatch => ({
  answered: entities.length,
  charged: entities.length,
  rows: replyTo(entities).results,
});

/** The storage of a tab, which a new page finds again. */
function createTab(charsMax = Number.POSITIVE_INFINITY) {
  const entries = new Map<string, string>();
  const write = (key: string, value: string | null): boolean => {
    if (value === null) return entries.delete(key) || true;
    const used = [...entries].reduce((sum, [name, text]) => sum + name.length + text.length, 0);
    if (used + value.length > charsMax) return false;
    entries.set(key, value);
    return true;
  };
  return { entries, open: () => createKeptRun({ read: (key) => entries.get(key) ?? null, write }) };
}

describe('a run that is kept in the tab', () => {
  test('is there after a reload, with every row as the service sent it', async () => {
    const tab = createTab();
    const before = tab.open();
    expect(before.hasAny()).toBe(false);
    before.begin(HEAD);
    await before.add(batchOf('a.example', 'b.example'));
    await before.add(batchOf('c.example'));
    const after = tab.open();
    expect(after.hasAny()).toBe(true);
    expect(await after.restore('usr_1')).toEqual({
      textMark: 'mark',
      run: { entities: ENTITIES, tally: TALLY, answered: 3, charged: 3, rows: replyTo(ENTITIES).results },
    });
  });

  test('goes on after a reload: what comes then is kept beside what came before', async () => {
    const tab = createTab();
    const before = tab.open();
    before.begin(HEAD);
    await before.add(batchOf('a.example'));
    const after = tab.open();
    expect((await after.restore('usr_1'))?.run).toMatchObject({ answered: 1, charged: 1 });
    await after.add(batchOf('b.example', 'c.example'));
    expect((await tab.open().restore('usr_1'))?.run.answered).toBe(3);
  });

  test('is shown to nobody else, and is gone then', async () => {
    const tab = createTab();
    const before = tab.open();
    before.begin(HEAD);
    await before.add(batchOf('a.example'));
    expect(await tab.open().restore('usr_2')).toBeNull();
    expect(tab.entries.size).toBe(0);
  });

  test('leaves nothing behind when it is forgotten or replaced, also from another page', async () => {
    const tab = createTab();
    const before = tab.open();
    before.begin(HEAD);
    await Promise.all([before.add(batchOf('a.example')), before.add(batchOf('b.example'))]);
    tab.open().begin({ ...HEAD, entities: ['z.example'] });
    expect([...tab.entries.keys()]).toEqual(['assay.bulk-run']);
    tab.open().forget();
    expect(tab.entries.size).toBe(0);
  });

  test('an answer of a replaced list is not added to the new one', async () => {
    const tab = createTab();
    const kept = tab.open();
    kept.begin(HEAD);
    const late = kept.add(batchOf('a.example'));
    kept.begin({ ...HEAD, entities: ['z.example'] });
    expect(await late).toBe(false);
    expect((await tab.open().restore('usr_1'))?.run.rows).toEqual([]);
  });

  test('rows beyond the limit, or beyond the space of the browser, are said not to be kept', async () => {
    const many = { ...batchOf('a.example'), rows: Array<never>(KEPT_ROWS_MAX + 1).fill(rowOf('a') as never) };
    const kept = createTab().open();
    kept.begin(HEAD);
    expect(await kept.add(many)).toBe(false);
    expect(createTab(10).open().begin(HEAD)).toBe(false);
    const small = createTab(300).open();
    expect(small.begin(HEAD)).toBe(true);
    expect(await small.add(batchOf(...ENTITIES))).toBe(false);
  });

  test('a batch that is lost or damaged ends what is restored: the rest counts as not checked', async () => {
    const tab = createTab();
    const before = tab.open();
    before.begin(HEAD);
    for (const entity of ENTITIES) await before.add(batchOf(entity));
    tab.entries.set('assay.bulk-rows-1', '!');
    expect((await tab.open().restore('usr_1'))?.run).toMatchObject({ answered: 1, charged: 1 });
    tab.entries.set('assay.bulk-run', '{');
    expect(await tab.open().restore('usr_1')).toBeNull();
  });

  test('500 rows with evidence take less than a tenth of their text', async () => {
    const tab = createTab();
    const kept = tab.open();
    const evidence = { verdict: 'high', reasons: ['A list names it.'.repeat(40)] } as never;
    const rows = Array.from({ length: 500 }, (_, n) => rowOf(`h${n}.example`, { evidence }));
    kept.begin(HEAD);
    await kept.add({ answered: 500, charged: 500, rows });
    const chars = tab.entries.get('assay.bulk-rows-0')?.length ?? Number.NaN;
    expect(chars).toBeLessThan(JSON.stringify(rows).length / 10);
  });
});

test('the mark of a text changes with the text', () => {
  expect(textMarkOf('8.8.8.8')).toBe(textMarkOf('8.8.8.8'));
  expect(textMarkOf('8.8.8.8')).not.toBe(textMarkOf('8.8.8.9'));
});
