import type { AttackDocument, Named, Technique } from './attack-index.ts';

type StixObject = Readonly<Record<string, unknown>>;

const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/;
const TACTIC_ID = /^TA\d{4}$/;
/** Before 2019 a mitigation had the id of its technique; those are deprecated and have no M number. */
const MITIGATION_ID = /^M\d{4}$/;
const URL_OF_MITRE = /^https:\/\/attack\.mitre\.org\/[\w/.-]{1,100}$/;
const NAME_MAX = 200;

export type CompiledAttack = {
  readonly document: AttackDocument;
  readonly modifiedAt: string | null;
};

/**
 * Keeps the fields of an enterprise ATT&CK bundle (STIX 2.0 or 2.1) that answers show. Null for anything else,
 * including bundles of the ICS and mobile matrices, which have other kill chains.
 */
export function compileAttack(bundle: unknown): CompiledAttack | null {
  const objects = objectsOf(bundle);
  if (objects === null) return null;
  const tactics = tacticsOf(objects);
  const mitigations = new Map<string, Named>();
  const patterns = new Map<string, StixObject>();
  for (const object of objects) {
    if (!isCurrent(object)) continue;
    if (object.type === 'attack-pattern') patterns.set(String(object.id), object);
    const named = object.type === 'course-of-action' ? namedOf(object, MITIGATION_ID) : null;
    if (named !== null) mitigations.set(String(object.id), named);
  }
  const mitigatedBy = mitigatedByOf(objects, mitigations);
  const techniques = [...patterns].flatMap(
    ([stixId, pattern]) => techniqueOf(pattern, tactics, mitigatedBy.get(stixId)) ?? [],
  );
  if (techniques.length === 0) return null;
  return {
    document: {
      format: 1,
      tactics: tactics.map(({ id, name }) => ({ id, name })),
      techniques: techniques.sort(byId),
      mitigations: [...mitigations.values()].sort(byId),
    },
    modifiedAt: newestOf(objects),
  };
}

function objectsOf(bundle: unknown): readonly StixObject[] | null {
  if (!isObject(bundle) || bundle.type !== 'bundle' || !Array.isArray(bundle.objects)) return null;
  return bundle.objects.filter(isObject);
}

type Tactic = Named & { readonly phase: string };

function tacticsOf(objects: readonly StixObject[]): readonly Tactic[] {
  const matrix = objects.find((object) => object.type === 'x-mitre-matrix');
  const refs = Array.isArray(matrix?.tactic_refs) ? matrix.tactic_refs : [];
  const placeOf = (stixId: string) => (refs.includes(stixId) ? refs.indexOf(stixId) : refs.length);
  return objects
    .flatMap((object) => {
      const named = object.type === 'x-mitre-tactic' && isCurrent(object) ? namedOf(object, TACTIC_ID) : null;
      if (named === null || typeof object.x_mitre_shortname !== 'string') return [];
      return [{ ...named, phase: object.x_mitre_shortname, place: placeOf(String(object.id)) }];
    })
    .sort((a, b) => a.place - b.place || byId(a, b));
}

function mitigatedByOf(
  objects: readonly StixObject[],
  mitigations: ReadonlyMap<string, Named>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const object of objects) {
    if (object.type !== 'relationship' || object.relationship_type !== 'mitigates' || !isCurrent(object))
      continue;
    const mitigation = mitigations.get(String(object.source_ref));
    if (mitigation === undefined) continue;
    const target = String(object.target_ref);
    const ids = found.get(target) ?? new Set<string>();
    found.set(target, ids.add(mitigation.id));
  }
  return new Map([...found].map(([target, ids]) => [target, [...ids].sort()]));
}

function techniqueOf(
  pattern: StixObject,
  tactics: readonly Tactic[],
  mitigations: readonly string[] = [],
): Technique | null {
  const named = namedOf(pattern, TECHNIQUE_ID);
  const phases = enterprisePhases(pattern);
  if (named === null || phases.length === 0) return null;
  const url = mitreReference(pattern)?.url;
  return {
    ...named,
    url: typeof url === 'string' && URL_OF_MITRE.test(url) ? url : null,
    isSubtechnique: named.id.includes('.'),
    tactics: tactics.flatMap(({ id, phase }) => (phases.includes(phase) ? [id] : [])),
    mitigations,
  };
}

const enterprisePhases = (pattern: StixObject): readonly unknown[] =>
  (Array.isArray(pattern.kill_chain_phases) ? pattern.kill_chain_phases : []).flatMap((phase) =>
    isObject(phase) && phase.kill_chain_name === 'mitre-attack' ? [phase.phase_name] : [],
  );

function namedOf(object: StixObject, idPattern: RegExp): Named | null {
  const id = mitreReference(object)?.external_id;
  const { name } = object;
  if (typeof id !== 'string' || !idPattern.test(id) || typeof name !== 'string' || name === '') return null;
  return { id, name: name.slice(0, NAME_MAX) };
}

const mitreReference = ({ external_references: references }: StixObject): StixObject | undefined =>
  Array.isArray(references)
    ? references.find((each): each is StixObject => isObject(each) && each.source_name === 'mitre-attack')
    : undefined;

const isCurrent = ({ revoked, x_mitre_deprecated: deprecated }: StixObject): boolean =>
  revoked !== true && deprecated !== true;

function newestOf(objects: readonly StixObject[]): string | null {
  let newest = '';
  for (const { modified } of objects)
    if (typeof modified === 'string' && modified > newest) newest = modified;
  return newest === '' ? null : newest;
}

const byId = (a: Named, b: Named): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const isObject = (value: unknown): value is StixObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
