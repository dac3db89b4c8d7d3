import type { ListName } from '#domain/shared-lists/index.ts';

export {
  isListName,
  kindOfList,
  LIST_NAMES,
  type ListKind,
  type ListName,
} from '#domain/shared-lists/index.ts';

/** `ips-all` of `blocklist-ips-all.txt`: what sets, tables and zones are called after. */
export const shortNameOf = (list: ListName): string => list.slice('blocklist-'.length, -'.txt'.length);
