import type { ListSource } from '#capabilities/blocklists/index.ts';

/** Who is a member of the shared lists. Null until a capability judges that: then no list is built, and none is lost. */
export const openListSource = (): ListSource | null => null;
