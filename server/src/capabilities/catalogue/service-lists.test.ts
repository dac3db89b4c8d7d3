import { expect, test } from 'vitest';
import { SERVICE_SOURCES } from '#domain/services/index.ts';
import { CATALOGUE, findRow, settingsOf } from './catalogue.ts';

test('every list that names a service is a list of addresses in the catalogue and accuses nobody', () => {
  for (const id of SERVICE_SOURCES) {
    expect(findRow(id)?.entityTypes, id).toEqual(['ip']);
    expect(findRow(id)?.threatClass, id).not.toBe('threat');
  }
});

test('every popularity list says what it counts, and Tranco is of no other kind', () => {
  for (const row of CATALOGUE.filter(({ guard }) => guard === 'popularity')) {
    expect(row.popularity, row.id).toBeDefined();
    expect(settingsOf(row).tags, row.id).toContain(`popularity:${row.popularity}`);
    expect(row.popularity === 'mixed', row.id).toBe(row.id.includes('tranco'));
  }
});
