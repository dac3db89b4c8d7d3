import { collectionTable, derivedMember } from './head.ts';
import type { ReplicaView } from './replica-view.ts';

/** A view that also says at which sequence a member (a collection or a derived value) last changed. */
type DatedView = ReplicaView & { readonly changedAt: (member: string) => number };

type Entry = {
  readonly generation: string;
  readonly value: unknown;
  readonly readAt: ReadonlyMap<string, number>;
};

/** Decoded structures, kept from view to view until a member that their builder read changes. */
export class MemoCache {
  readonly #entries = new Map<string, Entry>();

  find<T>(view: DatedView, name: string, build: (view: ReplicaView) => T): T {
    return this.#entry(view, name, build).value as T;
  }

  #entry(view: DatedView, name: string, build: (view: ReplicaView) => unknown): Entry {
    const known = this.#entries.get(name);
    if (known !== undefined && isFresh(known, view)) return known;
    const readAt = new Map<string, number>();
    const note = (member: string) => readAt.set(member, view.changedAt(member));
    const watched: ReplicaView = {
      seq: view.seq,
      generation: view.generation,
      contactAtMs: view.contactAtMs,
      get: (collection, key) => {
        note(collectionTable(collection));
        return view.get(collection, key);
      },
      keysBetween: (collection, from, to, limit) => {
        note(collectionTable(collection));
        return view.keysBetween(collection, from, to, limit);
      },
      derived: (derived) => {
        note(derivedMember(derived));
        return view.derived(derived);
      },
      memo: <T>(inner: string, buildInner: (view: ReplicaView) => T): T => {
        const entry = this.#entry(view, inner, buildInner);
        for (const member of entry.readAt.keys()) note(member);
        return entry.value as T;
      },
    };
    const entry: Entry = { generation: view.generation, value: build(watched), readAt };
    this.#entries.set(name, entry);
    return entry;
  }
}

function isFresh(entry: Entry, view: DatedView): boolean {
  if (entry.generation !== view.generation) return false;
  for (const [member, changedAt] of entry.readAt) if (view.changedAt(member) !== changedAt) return false;
  return true;
}
