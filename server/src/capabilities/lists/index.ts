export { readSnapshotFile } from './containers/read-snapshot-file.ts';
export type { Entry, EntryKind, Sink } from './formats/format.ts';
export type { CsvSpec, FormatSpec } from './formats/format-spec.ts';
export { isWholeFileBroken, openFormat, wantsMember } from './formats/open-format.ts';
export { type Gate, GateError } from './gate-error.ts';
export type { Reason, SnapshotCounts } from './snapshot-counts.ts';
