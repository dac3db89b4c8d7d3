import type { Source, SourceSettings } from '#capabilities/corpus/index.ts';
import { type CatalogueRow, RELIABILITY } from '../catalogue/catalogue-row.ts';
import type { Submission } from './contract.ts';

const DAY_S = 86_400;
/** Nobody has measured a proposed list yet: enough for nearly all that exist, little enough to do no harm. */
const BYTES_MAX = 32 * 1024 * 1024;
const ENTRIES_MAX = 500_000;
/** A list that was proposed is one stranger's word until it has a history: letter F (scoring 7). */
const LETTER = 'F';

/** What an approval says about a new source when the operator says nothing else. */
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
  // Terms nobody has read: it may be scored with, and never passed on.
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
 * An approved source has no row in the catalogue; this is the row the pipeline runs it by. Null: it has no address to
 * fetch, so it is one that is imported by hand.
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

/** Of numbers only where nothing else is proposed: a number has no form that tells it from other text. */
function formatOf({ format, entityTypes }: Source): CatalogueRow['format'] {
  if (format === 'hosts') return { kind: 'hosts' };
  return entityTypes.length === 1 && entityTypes[0] === 'phone'
    ? { kind: 'plain', entries: 'phone' }
    : { kind: 'plain' };
}
