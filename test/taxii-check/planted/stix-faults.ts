import { listOf, onObject, type PlantedFault, planted, replying } from './planted-fault.ts';
import type { SmallObject, SmallRecord } from './small-objects.ts';

export const STIX_FAULTS: readonly PlantedFault[] = [
  planted(
    'an id of another type',
    'stix-id',
    onObject('malware', (object) => {
      object.id = 'tool--00000000-0000-4000-8000-000000000020';
    }),
  ),
  planted(
    'a property with a capital letter',
    'stix-property-name',
    onObject('malware', (object) => {
      object.xScore = 1;
    }),
  ),
  planted(
    'a relationship of STIX 2.0',
    'stix-spec-version',
    onObject('relationship', (object) => {
      object.spec_version = '2.0';
    }),
  ),
  planted(
    'an indicator without valid_from',
    'stix-required',
    onObject('indicator', (object) => {
      delete object.valid_from;
    }),
  ),
  planted(
    'a reference that names no source',
    'stix-required',
    onObject('indicator', (object) => {
      object.external_references = [{ url: 'https://report.example.com/' }];
    }),
  ),
  planted(
    'a confidence above 100',
    'stix-value',
    onObject('indicator', (object) => {
      object.confidence = 101;
    }),
  ),
  planted(
    'an empty list',
    'stix-empty',
    onObject('indicator', (object) => {
      object.labels = [];
    }),
  ),
  planted(
    'a date in another zone',
    'stix-timestamp',
    onObject('indicator', (object) => {
      object.valid_until = '2026-06-01T00:00:00+02:00';
    }),
  ),
  planted(
    'modified before created',
    'stix-created-modified',
    onObject('malware', (object) => {
      object.created = '2026-12-01T00:00:00.000Z';
    }),
  ),
  planted(
    'valid until it began',
    'stix-valid-range',
    onObject('indicator', (object) => {
      object.valid_until = object.valid_from;
    }),
  ),
  planted(
    'observed before it was first observed',
    'stix-observed-range',
    onObject('observed-data', (object) => {
      object.last_observed = '2020-01-01T00:00:00Z';
    }),
  ),
  planted(
    'a pattern with an open string',
    'stix-pattern',
    onObject('indicator', (object) => {
      object.pattern = "[url:value = 'http://a.example/it's']";
    }),
  ),
  planted(
    'an observable with an id of another value',
    'stix-sco-id',
    onObject('domain-name', (object) => {
      object.value = 'other.example.com';
    }),
  ),
  planted(
    'made by an indicator',
    'stix-reference',
    onObject('malware', (object) => {
      object.created_by_ref = 'indicator--00000000-0000-4000-8000-000000000011';
    }),
  ),
  planted('observed data without its file', 'stix-observed-refs', {
    records: (records) => records.filter(({ object }) => object.type !== 'file'),
  }),
  planted(
    'a new text for an old version',
    'stix-version-twice',
    replying(
      ({ path, times }) => path.endsWith('/objects') && times > 2,
      (reply) => {
        for (const object of listOf(reply))
          if (object.type === 'malware') reply.body.objects = renamed(listOf(reply));
      },
    ),
    { twice: true },
  ),
  planted(
    'a later version that was created later',
    'stix-created-kept',
    {
      choose: (chosen, _all, asked) =>
        asked.path.endsWith('/objects') && asked.times > 2 ? reborn(chosen) : chosen,
    },
    { twice: true },
  ),
  planted(
    'a revoked object that returns',
    'stix-revoked',
    {
      choose: (chosen, _all, asked) =>
        asked.path.endsWith('/objects') && asked.times > 2 ? restored(chosen) : chosen,
    },
    { twice: true },
  ),
];

const LATER = '2026-03-02T00:00:00.000500Z';
const renamed = (objects: readonly SmallObject[]): SmallObject[] =>
  objects.map((object) => (object.type === 'malware' ? { ...object, name: 'Other' } : object));
const restored = (records: readonly SmallRecord[]): SmallRecord[] =>
  records.map((record) => ({
    ...record,
    object: { ...record.object, ...(record.object.revoked === true && { revoked: false }) },
  }));
const reborn = (records: readonly SmallRecord[]): SmallRecord[] =>
  records.map((record) => ({
    ...record,
    object: {
      ...record.object,
      ...(record.object.type === 'malware' && { created: LATER, modified: LATER }),
    },
  }));
