import type { Hash } from '#domain/indicator/index.ts';
import type { StixSubject } from './pattern.ts';
import { NAMESPACE } from './stix-id.ts';
import { uuid5 } from './uuid5.ts';

/** The objects around indicators. Their ids follow from their content, so that every page and every copy has the same. */

/** The namespace of STIX 2.1 for observables: two producers give one the same id. */
const OBSERVABLES = '00abedb4-aa42-466c-9c01-fed23315a9b7';

type Times = { readonly created: string; readonly modified: string };

/** `deployment` tells one installation from another. */
export const identityOf = (deployment: string, name: string, deployed: string) => ({
  type: 'identity' as const,
  spec_version: '2.1' as const,
  id: `identity--${uuid5(NAMESPACE, `identity|${deployment}`)}`,
  created: deployed,
  modified: deployed,
  name,
  identity_class: 'organization' as const,
});

const HASH_NAMES: Readonly<Record<Hash['algorithm'], string>> = {
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
};

/** The observable itself. Its id is made of the canonical JSON of what identifies it. */
function observableOf(subject: StixSubject) {
  const { value } = subject;
  const facts = subject.kind === 'hash' ? { hashes: { [HASH_NAMES[subject.algorithm]]: value } } : { value };
  const type = observableType(subject);
  const id = `${type}--${uuid5(OBSERVABLES, JSON.stringify(facts))}`;
  return { type, spec_version: '2.1' as const, id, ...facts };
}

function observableType(subject: StixSubject): string {
  switch (subject.kind) {
    case 'ip':
    case 'cidr':
      return subject.version === 4 ? 'ipv4-addr' : 'ipv6-addr';
    case 'domain':
      return 'domain-name';
    case 'url':
      return 'url';
    case 'hash':
      return 'file';
  }
}

type Observed = Times & {
  readonly indicatorId: string;
  readonly createdByRef: string;
  readonly firstObserved: string;
  readonly lastObserved: string;
  readonly number: number;
  readonly markingRefs: readonly string[];
};

/** An indicator as it was observed: the observed-data object, and the observable that it refers to. */
export function observedData(
  subject: StixSubject,
  given: Observed,
): readonly { readonly type: string; readonly id: string }[] {
  const observable = observableOf(subject);
  const { firstObserved, lastObserved } = given;
  const observed = {
    type: 'observed-data',
    spec_version: '2.1',
    id: `observed-data--${uuid5(NAMESPACE, `observed-data|${given.indicatorId}`)}`,
    created_by_ref: given.createdByRef,
    created: given.created,
    modified: given.modified,
    first_observed: firstObserved,
    // Texts of one length and zone, so their order is that of the times.
    last_observed: [firstObserved, lastObserved].sort().at(-1),
    number_observed: Math.max(1, given.number),
    object_refs: [observable.id],
    object_marking_refs: given.markingRefs,
  };
  return [observed, observable];
}

/** The family that an indicator belongs to, and the relationship that says so. */
export function familyObjects(
  family: string,
  given: {
    readonly indicatorId: string;
    readonly created: string;
    readonly createdByRef: string;
    readonly deployed: string;
  },
) {
  const malwareId = `malware--${uuid5(NAMESPACE, `malware|${given.createdByRef}|${family.toLowerCase()}`)}`;
  const { indicatorId, createdByRef, created, deployed } = given;
  return {
    malware: {
      type: 'malware' as const,
      spec_version: '2.1' as const,
      id: malwareId,
      created_by_ref: createdByRef,
      created: deployed,
      modified: deployed,
      name: family,
      is_family: true,
    },
    relationship: {
      type: 'relationship' as const,
      spec_version: '2.1' as const,
      id: `relationship--${uuid5(NAMESPACE, `indicates|${indicatorId}|${malwareId}`)}`,
      created_by_ref: createdByRef,
      created,
      modified: created,
      relationship_type: 'indicates' as const,
      source_ref: indicatorId,
      target_ref: malwareId,
    },
  };
}
