export type Delta = { readonly added: number; readonly removed: number; readonly changed: number };

export function deltaOf(written: readonly { readonly isNew: boolean }[], gone: bigint | undefined): Delta {
  const added = written.filter(({ isNew }) => isNew).length;
  return { added, removed: Number(gone ?? 0), changed: written.length - added };
}
