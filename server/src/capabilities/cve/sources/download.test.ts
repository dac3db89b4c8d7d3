import { expect, test } from 'vitest';
import { CVE_SOURCE_ROWS } from './cve-sources.ts';
import { deltaFiles } from './download-cve-list.ts';
import { CVE_FILES } from './offline-files.ts';

test('changes of the CVE list are the days that ended since the last load, and the hours of today from the last on', () => {
  const nowMs = Date.parse('2026-11-17T03:45:00Z');
  const since = deltaFiles({ through: '2026-11-15T10:00:00Z' }, nowMs);
  expect(since.days.map(({ file }) => file)).toEqual([
    '2026-11-15_delta_CVEs_at_end_of_day.zip',
    '2026-11-16_delta_CVEs_at_end_of_day.zip',
  ]);
  expect(since.hours.map(({ tag }) => tag)).toEqual([
    'cve_2026-11-17_0300Z',
    'cve_2026-11-17_0200Z',
    'cve_2026-11-17_0100Z',
    'cve_2026-11-17_0000Z',
  ]);
  expect(deltaFiles(null, nowMs).days).toEqual([]);
  expect(deltaFiles({ through: '2020-01-01T00:00:00Z' }, nowMs).days).toHaveLength(30);
});

test('hours of today that are loaded are not asked for again, except the last one, which may have grown', () => {
  const nowMs = Date.parse('2026-11-17T14:45:00Z');
  const { days, hours } = deltaFiles({ through: '2026-11-17T13:00:00Z' }, nowMs);
  expect(days).toEqual([]);
  expect(hours.map(({ file }) => file)).toEqual([
    '2026-11-17_delta_CVEs_at_1400Z.zip',
    '2026-11-17_delta_CVEs_at_1300Z.zip',
  ]);
});

test('every source has its own id, and every offline file belongs to a source or says why not', () => {
  const ids = CVE_SOURCE_ROWS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { dataset, note } of CVE_FILES)
    if (dataset === null) expect(note).toBeDefined();
    else expect(ids).toContain(dataset);
});
