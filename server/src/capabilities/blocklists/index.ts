export { findFormat, formatNames } from './formats/formats.ts';
export type { ListEntry } from './list-entry.ts';
export { isListName, kindOfList, LIST_NAMES, type ListName, shortNameOf } from './list-names.ts';
