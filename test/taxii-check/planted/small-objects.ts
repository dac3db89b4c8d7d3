import { scoIdOf } from '../stix/sco-id.ts';

export type SmallObject = Record<string, unknown>;
/** An object with the date on which the small server added it. */
export type SmallRecord = { readonly object: SmallObject; readonly dateAdded: string };

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const time = (second: number): string => `2026-03-01T10:00:${String(second).padStart(2, '0')}.000500Z`;

const IDENTITY: SmallObject = {
  type: 'identity',
  spec_version: '2.1',
  id: `identity--${uuid(1)}`,
  created: time(0),
  modified: time(0),
  name: 'A small server',
  identity_class: 'organization',
};
const common = (type: string, n: number): SmallObject => ({
  type,
  spec_version: '2.1',
  id: `${type}--${uuid(n)}`,
  created_by_ref: IDENTITY.id,
  created: time(1),
  modified: time(2),
});
const observable = (object: SmallObject): SmallObject => ({
  ...object,
  spec_version: '2.1',
  id: scoIdOf(object),
});
const indicator = (n: number): SmallObject => ({
  ...common('indicator', n),
  pattern: `[ipv4-addr:value = '198.51.100.${n}']`,
  pattern_type: 'stix',
  valid_from: time(3),
  valid_until: '2026-06-01T00:00:00Z',
  confidence: 80,
  labels: ['c2'],
  object_marking_refs: ['marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9'],
});

const ADDRESS = observable({ type: 'ipv4-addr', value: '198.51.100.7' });
const FILE = observable({
  type: 'file',
  name: 'a.exe',
  hashes: { 'SHA-256': 'ab'.repeat(32), MD5: 'cd'.repeat(16) },
});

/** Objects of every type whose content the check judges; several share a date. */
export function smallRecords(): SmallRecord[] {
  const objects: SmallObject[] = [
    IDENTITY,
    ...[11, 12, 13, 14].map(indicator),
    { ...common('malware', 20), name: 'Small', is_family: true },
    {
      ...common('relationship', 21),
      relationship_type: 'indicates',
      source_ref: `indicator--${uuid(11)}`,
      target_ref: `malware--${uuid(20)}`,
    },
    {
      type: 'marking-definition',
      spec_version: '2.1',
      id: `marking-definition--${uuid(22)}`,
      created: time(0),
      definition_type: 'statement',
      definition: { statement: 'Small' },
    },
    ADDRESS,
    FILE,
    observable({ type: 'ipv6-addr', value: '2001:db8::7' }),
    observable({ type: 'domain-name', value: 'bad.example.com' }),
    observable({ type: 'url', value: 'http://bad.example.com/a' }),
    {
      ...common('observed-data', 30),
      first_observed: time(3),
      last_observed: time(4),
      number_observed: 2,
      object_refs: [ADDRESS.id, FILE.id],
    },
    ...[15, 16].map(indicator),
    { ...indicator(17), revoked: true },
  ];
  // Three objects share each date, so that the border of a page of four falls between two of them.
  return objects.map((object, at) => ({ object, dateAdded: time(10 + Math.floor(at / 3)) }));
}

/** The first object of a type. */
export function ofType(records: readonly SmallRecord[], type: string): SmallObject {
  const found = records.find(({ object }) => object.type === type);
  if (found === undefined) throw new Error(`There is no ${type}.`);
  return found.object;
}
