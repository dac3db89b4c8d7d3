import type { OfflineFile } from '../catalogue-row.ts';

type Extra = Omit<OfflineFile, 'path' | 'source' | 'role'>;

/** Part of a source's snapshot. */
export const part = (path: string, source: string, extra: Extra = {}): OfflineFile => ({
  path,
  source,
  role: 'part',
  ...extra,
});

/** The same list in another form, or an older copy: read and compared in tests, lists nothing. */
export const variant = (path: string, source: string, extra: Extra = {}): OfflineFile => ({
  path,
  source,
  role: 'variant',
  ...extra,
});

/** Deliberately not imported; the note says why. */
export const leftOut = (path: string, note: string): OfflineFile => ({
  path,
  source: null,
  role: 'left-out',
  note,
});
