import { expect, test } from 'vitest';
import { CVE_SOURCE_ROWS } from './cve-sources.ts';
import { deltaNames } from './download-cve-list.ts';
import { CVE_FILES } from './offline-files.ts';

test('changes of the CVE list are the days that ended since the last load, and the last full hour', () => {
  const nowMs = Date.parse('2026-11-17T14:45:00Z');
  expect(deltaNames({ through: '2026-11-15T10:00:00Z' }, nowMs).map(({ file }) => file)).toEqual([
    '2026-11-15_delta_CVEs_at_end_of_day.zip',
    '2026-11-16_delta_CVEs_at_end_of_day.zip',
    '2026-11-17_delta_CVEs_at_1400Z.zip',
  ]);
  expect(deltaNames(null, nowMs)).toEqual([
    { tag: 'cve_2026-11-17_1400Z', file: '2026-11-17_delta_CVEs_at_1400Z.zip' },
  ]);
  expect(deltaNames({ through: '2020-01-01T00:00:00Z' }, nowMs)).toHaveLength(31);
});

test('every source has its own id, and every offline file belongs to a source or says why not', () => {
  const ids = CVE_SOURCE_ROWS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { dataset, note } of CVE_FILES)
    if (dataset === null) expect(note).toBeDefined();
    else expect(ids).toContain(dataset);
});
