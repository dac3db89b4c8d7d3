import type { Outcome } from '../outcome.ts';
import type { FramedLookup } from './create-lookup.ts';

/** Wraps a lookup: `change` is applied to found values whenever they are read; stored values stay unchanged. */
export function changeFound<K, V>(lookup: FramedLookup<K, V>, change: (value: V) => V): FramedLookup<K, V> {
  const changed = (outcome: Outcome<V>): Outcome<V> =>
    outcome.state === 'found' ? { ...outcome, value: change(outcome.value) } : outcome;
  return {
    name: lookup.name,
    isOn: lookup.isOn,
    cached: async (key) => changed(await lookup.cached(key)),
    ask: async (key, options) => changed(await lookup.ask(key, options)),
    warm: (key) => lookup.warm(key),
    idOf: (key) => lookup.idOf(key),
    recall: (id) => {
      const outcome = lookup.recall(id);
      return outcome === null ? null : changed(outcome);
    },
    accept: (id, text) => changed(lookup.accept(id, text)),
    close: () => lookup.close(),
  };
}
