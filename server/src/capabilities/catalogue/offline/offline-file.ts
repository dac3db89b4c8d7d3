import type { OfflineFile } from '../catalogue-row.ts';

type Extra = Omit<OfflineFile, 'path' | 'source' | 'role'>;

export const part = (path: string, source: string, extra: Extra = {}): OfflineFile => ({
  path,
  source,
  role: 'part',
  ...extra,
});

/** The same list in another form, or an older copy: read and compared in tests, but not imported. */
export const variant = (path: string, source: string, extra: Extra = {}): OfflineFile => ({
  path,
  source,
  role: 'variant',
  ...extra,
});

/** Not imported on purpose; the note says why. */
export const leftOut = (path: string, note: string): OfflineFile => ({
  path,
  source: null,
  role: 'left-out',
  note,
});
