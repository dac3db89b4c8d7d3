import { RENTABLE_TAG, type SourceSettings } from '#capabilities/corpus/index.ts';
import type { FormatSpec } from '#capabilities/lists/index.ts';
import { type ExpectedSource, popularityTag } from '#domain/scoring/index.ts';
import { type CatalogueRow, type OfflineFile, RELIABILITY } from './catalogue-row.ts';
import { C2_TRACKER_FILES } from './offline/c2-tracker-files.ts';
import { CONTEXT_FILES, MALTRAIL_FILES, NETWORK_FILES } from './offline/context-files.ts';
import { THREAT_FILES } from './offline/feed-files.ts';
import { WARNINGLIST_FILES } from './offline/warninglist-files.ts';
import { ABUSE_CH_ROWS } from './rows/abuse-ch.ts';
import { AGGREGATE_ROWS } from './rows/aggregates.ts';
import { ANONYMITY_ROWS } from './rows/anonymity.ts';
import { ATTACKER_ROWS, DATAPLANE_ROWS } from './rows/attackers.ts';
import { BLOCKLIST_DE_ROWS } from './rows/blocklist-de.ts';
import { CDN_ROWS, CLOUD_ROWS } from './rows/clouds.ts';
import { C2_INTEL_ROWS, COMMAND_SERVER_ROWS, CRITICAL_PATH_ROWS } from './rows/command-servers.ts';
import { BLOCK_LIST_PROJECT_ROWS, SHADOW_WHISPERER_ROWS, UT1_ROWS } from './rows/domain-collections.ts';
import { MALTRAIL_ROWS, MALWARE_SITE_ROWS } from './rows/malware-sites.ts';
import { MISP_CONTEXT_ROWS, MISP_UNSUPPORTED_ROWS } from './rows/misp-context.ts';
import {
  MISP_KNOWN_GOOD_ROWS,
  MISP_ODD_FILE_ROWS,
  MISP_POPULARITY_ROWS,
  MISP_VENDOR_ROWS,
} from './rows/misp-known-good.ts';
import { MISP_CLOUD_ROWS, MISP_SCANNER_ROWS, MISP_SERVICE_ROWS } from './rows/misp-networks.ts';
import { PHISHING_ROWS } from './rows/phishing.ts';
import { POLICY_ROWS } from './rows/policy.ts';
import { CERTIFICATE_ROWS, POPULARITY_ROWS } from './rows/popularity.ts';
import { SAMPLE_ROWS } from './rows/samples.ts';
import { CRAWLER_ROWS, LABEL_ROWS, SERVICE_NETWORK_ROWS } from './rows/service-networks.ts';
import { SPAMHAUS_ROWS } from './rows/spamhaus.ts';

export { noticeOf } from './notice.ts';

export const CATALOGUE: readonly CatalogueRow[] = [
  ...ABUSE_CH_ROWS,
  ...SPAMHAUS_ROWS,
  ...BLOCKLIST_DE_ROWS,
  ...ATTACKER_ROWS,
  ...DATAPLANE_ROWS,
  ...AGGREGATE_ROWS,
  ...COMMAND_SERVER_ROWS,
  ...C2_INTEL_ROWS,
  ...CRITICAL_PATH_ROWS,
  ...PHISHING_ROWS,
  ...MALWARE_SITE_ROWS,
  ...MALTRAIL_ROWS,
  ...BLOCK_LIST_PROJECT_ROWS,
  ...SHADOW_WHISPERER_ROWS,
  ...UT1_ROWS,
  ...SAMPLE_ROWS,
  ...ANONYMITY_ROWS,
  ...CLOUD_ROWS,
  ...CDN_ROWS,
  ...SERVICE_NETWORK_ROWS,
  ...CRAWLER_ROWS,
  ...LABEL_ROWS,
  ...POLICY_ROWS,
  ...POPULARITY_ROWS,
  ...CERTIFICATE_ROWS,
  ...MISP_POPULARITY_ROWS,
  ...MISP_KNOWN_GOOD_ROWS,
  ...MISP_ODD_FILE_ROWS,
  ...MISP_VENDOR_ROWS,
  ...MISP_SERVICE_ROWS,
  ...MISP_CLOUD_ROWS,
  ...MISP_SCANNER_ROWS,
  ...MISP_CONTEXT_ROWS,
  ...MISP_UNSUPPORTED_ROWS,
];

export const OFFLINE_FILES: readonly OfflineFile[] = [
  ...THREAT_FILES,
  ...C2_TRACKER_FILES,
  ...MALTRAIL_FILES,
  ...CONTEXT_FILES,
  ...NETWORK_FILES,
  ...WARNINGLIST_FILES,
];

/** Aggregates repeat other lists, so their reliability is at most this (scoring 3). */
const AGGREGATE_RELIABILITY_MAX = 0.4;

/**
 * The threat sources that a new deployment loads: what coverage is measured against. Sources that need a publisher's key
 * belong to them, because without the key their entries are missing.
 */
export const DEFAULT_THREAT_SOURCES: readonly ExpectedSource[] = CATALOGUE.filter(
  ({ isDefault, threatClass, adOnly }) => isDefault && threatClass === 'threat' && adOnly !== true,
).map((row) => ({
  id: row.id,
  type: typeOf(row),
  entityTypes: [...row.entityTypes],
  reliability: reliabilityOf(row),
}));

const ROWS_BY_ID: ReadonlyMap<string, CatalogueRow> = new Map(CATALOGUE.map((row) => [row.id, row]));

export const findRow = (id: string): CatalogueRow | null => ROWS_BY_ID.get(id) ?? null;

/** The registry settings of a row. A missing key is handled by the pipeline and is not a setting. */
export function settingsOf(row: CatalogueRow): SourceSettings {
  const [url] = row.urls;
  return {
    name: row.name,
    type: typeOf(row),
    category: row.category,
    categories: [row.category],
    threatClass: row.threatClass,
    fpRisk: row.fpRisk,
    signal: row.signal ?? 'feed',
    scannerKinds: [...(row.scannerKinds ?? [])],
    adOnly: row.adOnly ?? false,
    semantics: row.semantics,
    keepsEntries: row.keepsEntries ?? false,
    cidrSemantics: row.cidrSemantics ?? 'observed',
    attributes: [...(row.attributes ?? [])],
    reliability: reliabilityOf(row),
    ...(row.lineage !== undefined && { lineage: row.lineage }),
    aggregate: row.aggregate ?? false,
    intervalS: row.pollS,
    provider: row.publisher,
    ...(url !== undefined && { url }),
    licence: row.licence.name,
    licenceMode: row.licence.mode,
    redistributable: row.licence.redistributable,
    ...(row.licence.attribution !== undefined && { attribution: row.licence.attribution }),
    letter: row.letter,
    tags: [
      ...(row.tags ?? []),
      ...(row.popularity === undefined ? [] : [popularityTag(row.popularity)]),
      ...(row.rentable === true ? [RENTABLE_TAG] : []),
    ],
    entityTypes: [...row.entityTypes],
    format: wordOf(row.format),
    ...(row.guard !== undefined && { guard: row.guard }),
    ...(row.rankMax !== undefined && { rankMax: row.rankMax }),
    scheduled: row.isDefault,
    enabled: true,
  };
}

function reliabilityOf({ letter, aggregate }: CatalogueRow): number {
  return aggregate === true ? Math.min(RELIABILITY[letter], AGGREGATE_RELIABILITY_MAX) : RELIABILITY[letter];
}

function typeOf({ entityTypes }: CatalogueRow): string {
  const [type, ...more] = entityTypes;
  return type !== undefined && more.length === 0 ? type : 'mixed';
}

/** The registry has five format names (decisions 3.5); every line-based format is `text`. */
function wordOf({ kind }: FormatSpec): NonNullable<SourceSettings['format']> {
  switch (kind) {
    case 'csv':
    case 'csv-ranges':
      return 'csv';
    case 'json':
    case 'ndjson':
    case 'misp-warninglist':
    case 'misp-feed':
    case 'misp-galaxy':
      return 'json';
    case 'hosts':
      return 'hosts';
    case 'stix':
      return 'stix';
    default:
      return 'text';
  }
}
