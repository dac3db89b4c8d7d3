import type { CatalogueRow } from '../../server/src/capabilities/catalogue/index.ts';
import type { SampleEntry } from './entry.ts';
import { renderRanked } from './render.ts';
import { type Draw, plainName } from './values.ts';

export type SampleSource = Pick<
  CatalogueRow,
  'id' | 'name' | 'format' | 'entityTypes' | 'category' | 'threatClass' | 'fpRisk' | 'letter' | 'semantics'
> &
  Partial<
    Pick<
      CatalogueRow,
      'cidrSemantics' | 'signal' | 'adOnly' | 'attributes' | 'guard' | 'popularity' | 'aggregate'
    >
  > & {
    readonly size: number;
    readonly comesPerDay: number;
    /** How many entries leave the list each day, as a share of those that come. */
    readonly leavesShare: number;
    readonly everyDays: number;
    readonly draw: Draw;
    /** Writes the list in the publisher's format; plain lines by default. */
    readonly render?: (entries: readonly SampleEntry[]) => string;
    readonly repeats?: readonly string[];
    /** True when today's download is a web page: the list keeps its last good content and is shown as failing. */
    readonly breaksToday?: boolean;
  };

const PLAIN = { kind: 'plain' } as const;
export const THREAT = {
  format: PLAIN,
  threatClass: 'threat',
  fpRisk: 'low',
  letter: 'B',
  semantics: 'state',
  leavesShare: 0.85,
  everyDays: 2,
} as const;
export const CONTEXT = {
  format: PLAIN,
  threatClass: 'infrastructure',
  fpRisk: 'low',
  letter: 'B',
  semantics: 'state',
  comesPerDay: 0,
  leavesShare: 1,
  everyDays: 15,
} as const;
export const RANKED = {
  ...CONTEXT,
  format: { kind: 'csv', header: 'first', values: ['name'], rank: 'rank' },
  render: renderRanked,
  threatClass: 'allowlist',
  entityTypes: ['domain'],
  category: 'popular-domains',
  guard: 'popularity',
  draw: plainName('site'),
} as const;
export const DATED = {
  kind: 'csv',
  header: 'first',
  values: ['address'],
  firstSeen: 'first_seen',
  family: 'family',
  confidence: 'confidence',
} as const;
/** The digests of one file in each line. */
export const DIGESTS = {
  kind: 'csv',
  header: 'first',
  values: ['sha256', 'sha1', 'md5'],
  siblings: true,
  firstSeen: 'first_seen',
} as const;
