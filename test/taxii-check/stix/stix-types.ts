/** The rules of STIX 2.1 for one type: its section, the required properties, and `oneOf`, of which one must be set. */
export type StixType = {
  readonly group: 'domain' | 'relationship' | 'observable' | 'meta';
  readonly section: string;
  readonly required: readonly string[];
  readonly oneOf?: readonly string[];
};

type Row = readonly [type: string, section: string, required: readonly string[], oneOf?: readonly string[]];

const DOMAIN: readonly Row[] = [
  ['attack-pattern', '4.1', ['name']],
  ['campaign', '4.2', ['name']],
  ['course-of-action', '4.3', ['name']],
  ['grouping', '4.4', ['context', 'object_refs']],
  ['identity', '4.5', ['name']],
  ['incident', '4.6', ['name']],
  ['indicator', '4.7', ['pattern', 'pattern_type', 'valid_from']],
  ['infrastructure', '4.8', ['name']],
  ['intrusion-set', '4.9', ['name']],
  ['location', '4.10', [], ['region', 'country', 'latitude']],
  ['malware', '4.11', ['is_family']],
  ['malware-analysis', '4.12', ['product'], ['result', 'analysis_sco_refs']],
  ['note', '4.13', ['content', 'object_refs']],
  [
    'observed-data',
    '4.14',
    ['first_observed', 'last_observed', 'number_observed'],
    ['object_refs', 'objects'],
  ],
  ['opinion', '4.15', ['opinion', 'object_refs']],
  ['report', '4.16', ['name', 'published', 'object_refs']],
  ['threat-actor', '4.17', ['name']],
  ['tool', '4.18', ['name']],
  ['vulnerability', '4.19', ['name']],
];
const RELATIONSHIP: readonly Row[] = [
  ['relationship', '5.1', ['relationship_type', 'source_ref', 'target_ref']],
  ['sighting', '5.2', ['sighting_of_ref']],
];
const OBSERVABLE: readonly Row[] = [
  ['artifact', '6.1', [], ['payload_bin', 'url']],
  ['autonomous-system', '6.2', ['number']],
  ['directory', '6.3', ['path']],
  ['domain-name', '6.4', ['value']],
  ['email-addr', '6.5', ['value']],
  ['email-message', '6.6', ['is_multipart']],
  ['file', '6.7', [], ['hashes', 'name']],
  ['ipv4-addr', '6.8', ['value']],
  ['ipv6-addr', '6.9', ['value']],
  ['mac-addr', '6.10', ['value']],
  ['mutex', '6.11', ['name']],
  ['network-traffic', '6.12', ['protocols'], ['src_ref', 'dst_ref']],
  ['process', '6.13', []],
  ['software', '6.14', ['name']],
  ['url', '6.15', ['value']],
  ['user-account', '6.16', []],
  ['windows-registry-key', '6.17', []],
  ['x509-certificate', '6.18', []],
];
const META: readonly Row[] = [
  ['marking-definition', '7.2.1', [], ['definition_type', 'extensions']],
  ['language-content', '7.1', ['object_ref', 'contents']],
  ['extension-definition', '7.3', ['name', 'schema', 'version', 'extension_types']],
];

const rowsOf = (group: StixType['group'], rows: readonly Row[]): readonly (readonly [string, StixType])[] =>
  rows.map(([type, section, required, oneOf]) => [
    type,
    { group, section, required, ...(oneOf !== undefined && { oneOf }) },
  ]);

export const STIX_TYPES: ReadonlyMap<string, StixType> = new Map([
  ...rowsOf('domain', DOMAIN),
  ...rowsOf('relationship', RELATIONSHIP),
  ...rowsOf('observable', OBSERVABLE),
  ...rowsOf('meta', META),
]);

/** The types that a reference may have, by property; a property that is not here may refer to any type. */
export const REFERENCE_TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['created_by_ref', ['identity']],
  ['object_marking_refs', ['marking-definition']],
  ['marking_ref', ['marking-definition']],
  ['observed_data_refs', ['observed-data']],
  ['where_sighted_refs', ['identity', 'location']],
  ['parent_directory_ref', ['directory']],
  ['resolves_to_refs', ['ipv4-addr', 'ipv6-addr', 'domain-name', 'mac-addr']],
  ['belongs_to_refs', ['autonomous-system']],
]);

/** The marking definitions that STIX 2.1 section 7.2.1.4 defines itself. */
export const TLP_MARKINGS: ReadonlySet<string> = new Set([
  'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9',
  'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da',
  'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82',
  'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed',
]);
