export { type ImportOptions, type ImportReport, importPlainList } from './import-plain-list.ts';
export { type Lines, readLines } from './read-lines.ts';
