import type { Target } from './check-server.ts';
import type { Findings } from './findings.ts';
import type { StixObject } from './stix/stix-object.ts';
import { TLP_MARKINGS } from './stix/stix-types.ts';

export type References = {
  readonly see: (
    target: Target,
    object: StixObject,
    references: readonly (readonly [property: string, id: string])[],
    request: string,
  ) => void;
  /** Judges the references that no collection resolved; call it after the last collection. */
  readonly judge: (findings: Findings) => void;
};

type Open = { readonly from: string; readonly property: string; readonly request: string };

/** Resolves references across all collections, because one may refer to objects that another holds. */
export function createReferences(): References {
  const known = new Set<string>(TLP_MARKINGS);
  const open = new Map<string, Open>();
  return {
    see: (target, object, references, request) => {
      known.add(String(object.id));
      known.add(`${target.url.href} ${String(object.id)}`);
      for (const [property, id] of references) {
        const isObserved = object.type === 'observed-data' && property === 'object_refs';
        const key = isObserved ? `${target.url.href} ${id}` : id;
        if (!known.has(key)) open.set(key, { from: String(object.id), property, request });
      }
    },
    judge: (findings) => {
      for (const [key, { from, property, request }] of open) {
        if (known.has(key)) continue;
        const [id = '', isObserved] = [key.split(' ').at(-1), key.includes(' ')];
        const words = `${property} of ${from} is ${id}`;
        if (isObserved) findings.violation('stix-observed-refs', request, words);
        else findings.note('external-reference', request, words);
      }
    },
  };
}
