import { csvRecords } from './csv-rows.ts';
import {
  cveIdAt,
  cwesIn,
  DESCRIPTION_MAX,
  dayOf,
  fieldOf,
  joinReadings,
  listAt,
  NAME_MAX,
  parseJson,
  readingOf,
  referenceTo,
  refusal,
  TITLE_MAX,
  textAt,
  textsAt,
} from './fields.ts';
import { type CveReading, toldNothing } from './told.ts';

const CATALOGUE_MAX = 100_000;

/** CISA's catalogue of known exploited vulnerabilities, as JSON or as CSV. */
export function readKev(document: string, text: string): CveReading {
  const json = /^\s*\{/.test(text) ? parseJson(text) : csvCatalogue(text);
  if (json === undefined) return refusal(document, 'not-json');
  const items = fieldOf(json, 'vulnerabilities');
  if (!Array.isArray(items)) return refusal(document, 'wrong-format');
  const count = fieldOf(json, 'count');
  // A truncated catalogue is refused, because its missing entries would seem to have left KEV.
  if (typeof count === 'number' && count !== items.length)
    return refusal(`${document} count ${count}, entries ${items.length}`.trim(), 'wrong-total');
  return joinReadings(items.slice(0, CATALOGUE_MAX).map((item, at) => readEntry(`${document} ${at}`, item)));
}

function csvCatalogue(text: string): unknown {
  const records = csvRecords(text);
  if (records[0]?.has('cveID') !== true) return {};
  return {
    vulnerabilities: records.map((record) => ({
      ...Object.fromEntries(record),
      cwes: (record.get('cwes') ?? '').split(','),
    })),
  };
}

function readEntry(document: string, entry: unknown): CveReading {
  const cveId = cveIdAt(entry, 'cveID');
  if (cveId === null) return refusal(document, 'bad-cve-id');
  const dateAdded = dayOf(textAt(entry, 'dateAdded', 40));
  if (dateAdded === null) return refusal(document, 'bad-date');
  const shortDescription = textAt(entry, 'shortDescription', DESCRIPTION_MAX);
  const notes = textAt(entry, 'notes', DESCRIPTION_MAX) ?? '';
  return readingOf([
    {
      ...toldNothing(cveId, 'kev', cveId),
      title: textAt(entry, 'vulnerabilityName', TITLE_MAX),
      description: shortDescription,
      cwes: cwesIn(textsAt(entry, 'cwes', 40, 100)),
      references: notes.split(/[\s;]+/).flatMap((url) => referenceTo('kev', url)),
      kev: {
        dateAdded,
        dueDate: dayOf(textAt(entry, 'dueDate', 40)),
        requiredAction: textAt(entry, 'requiredAction', DESCRIPTION_MAX),
        ransomwareUse: fieldOf(entry, 'knownRansomwareCampaignUse') === 'Known' ? 'Known' : 'Unknown',
        shortDescription,
        vendor: textAt(entry, 'vendorProject', NAME_MAX),
        product: textAt(entry, 'product', NAME_MAX),
      },
    },
  ]);
}

const RELATIONS: ReadonlyMap<unknown, 'exploitation' | 'primary-impact' | 'secondary-impact'> = new Map([
  ['exploitation_technique', 'exploitation'],
  ['primary_impact', 'primary-impact'],
  ['secondary_impact', 'secondary-impact'],
]);

/** Mappings of KEV entries to ATT&CK techniques (Center for Threat-Informed Defense). */
export function readAttackMapping(document: string, json: unknown): CveReading {
  if (!Array.isArray(fieldOf(json, 'mapping_objects'))) return refusal(document, 'wrong-format');
  return joinReadings(
    listAt(json, 'mapping_objects', CATALOGUE_MAX).map((mapping, at) => {
      const cveId = cveIdAt(mapping, 'capability_id');
      const technique = textAt(mapping, 'attack_object_id', 20);
      if (cveId === null) return refusal(`${document} ${at}`, 'bad-cve-id');
      // A mapping without a technique says that none could be mapped.
      if (technique === null || !/^T[0-9]{4}(?:\.[0-9]{3})?$/.test(technique))
        return refusal(`${document} ${at}`, 'wrong-format');
      const relation = RELATIONS.get(fieldOf(mapping, 'mapping_type')) ?? 'other';
      const name = textAt(mapping, 'attack_object_name', NAME_MAX);
      return readingOf([
        {
          ...toldNothing(cveId, 'ctid', `${technique} ${relation}`),
          techniques: [{ id: technique, name, relation }],
        },
      ]);
    }),
  );
}
