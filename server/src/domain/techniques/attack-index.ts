export type Named = { readonly id: string; readonly name: string };

export type Technique = Named & {
  readonly url: string | null;
  readonly isSubtechnique: boolean;
  /** Ids in the order of the matrix. */
  readonly tactics: readonly string[];
  readonly mitigations: readonly string[];
};

/** A compiled STIX bundle: about 700 techniques instead of 29 MB, without revoked and deprecated ones. */
export type AttackDocument = {
  readonly format: 1;
  /** In the order of the matrix. */
  readonly tactics: readonly Named[];
  readonly techniques: readonly Technique[];
  readonly mitigations: readonly Named[];
};

export type AttackIndex = {
  readonly techniqueOf: (id: string) => Technique | undefined;
  readonly tactics: readonly Named[];
  readonly mitigationOf: (id: string) => Named | undefined;
  readonly size: number;
};

export function openAttack(document: AttackDocument): AttackIndex {
  const techniques = new Map(document.techniques.map((technique) => [technique.id, technique]));
  const mitigations = new Map(document.mitigations.map((mitigation) => [mitigation.id, mitigation]));
  return {
    techniqueOf: (id) => techniques.get(id),
    tactics: document.tactics,
    mitigationOf: (id) => mitigations.get(id),
    size: techniques.size,
  };
}
