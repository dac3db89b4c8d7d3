import { type CatalogueRow, RELIABILITY } from '#capabilities/catalogue/index.ts';
import type { Source, SourceSettings } from '#capabilities/corpus/index.ts';
import { DAY_S } from '#platform/time-units.ts';
import type { Submission } from './contract.ts';

/** Limits for a list of unknown size: nearly all existing lists fit, and a larger one is refused. */
const BYTES_MAX = 32 * 1024 * 1024;
const ENTRIES_MAX = 500_000;
/** A proposed list has no history, so it gets letter F (scoring 7). */
const LETTER = 'F';

export const settingsOfSubmission = (submission: Submission): SourceSettings => ({
  name: submission.name,
  type: submission.type,
  ...(submission.category !== null && { category: submission.category }),
  threatClass: 'threat',
  fpRisk: 'medium',
  signal: 'feed',
  semantics: 'state',
  letter: LETTER,
  reliability: RELIABILITY[LETTER],
  provider: new URL(submission.url).hostname,
  url: submission.url,
  // The terms are unknown, so the list counts for scores but is never redistributed.
  licence: 'not known',
  licenceMode: 'free',
  redistributable: false,
  entityTypes: [submission.type],
  format: 'text',
  tags: ['submitted'],
  intervalS: DAY_S,
  scheduled: true,
  enabled: true,
});

const ENTITY_TYPES = ['ip', 'domain', 'url', 'hash', 'email', 'asn', 'crypto', 'phone'] as const;
const isEntityType = (word: string): word is (typeof ENTITY_TYPES)[number] =>
  (ENTITY_TYPES as readonly string[]).includes(word);

/**
 * The row by which the pipeline runs an approved source, which has none in the catalogue. Null: the source has no
 * address to fetch, so it is imported by hand.
 */
export function rowOfSubmittedSource(source: Source): CatalogueRow | null {
  if (source.url === null) return null;
  return {
    id: source.id,
    name: source.name,
    publisher: source.provider ?? new URL(source.url).hostname,
    urls: [source.url],
    format: formatOf(source),
    entityTypes: source.entityTypes.filter(isEntityType),
    category: source.category,
    tags: source.tags,
    threatClass: source.threatClass,
    fpRisk: source.fpRisk,
    letter: source.letter,
    ...(source.lineage !== null && { lineage: source.lineage }),
    aggregate: source.aggregate,
    semantics: source.semantics,
    cidrSemantics: source.cidrSemantics,
    signal: source.signal,
    adOnly: source.adOnly,
    attributes: source.attributes,
    licence: {
      name: source.licence ?? 'not known',
      mode: source.licenceMode,
      redistributable: source.redistributable,
    },
    pollS: source.intervalS,
    minIntervalS: Math.min(source.intervalS, DAY_S),
    bytesMax: BYTES_MAX,
    volume: { min: 1, max: ENTRIES_MAX },
    canaries: source.threatClass === 'threat' ? 'on' : 'off',
    isDefault: false,
  };
}

/** Telephone numbers are read only when the list declares nothing else: other text can look like one. */
function formatOf({ format, entityTypes }: Source): CatalogueRow['format'] {
  if (format === 'hosts') return { kind: 'hosts' };
  return entityTypes.length === 1 && entityTypes[0] === 'phone'
    ? { kind: 'plain', entries: 'phone' }
    : { kind: 'plain' };
}
