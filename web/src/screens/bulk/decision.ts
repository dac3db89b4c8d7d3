import type { BulkRow, Verdict } from '@assay/sdk';

/** What the reader does with a row, most urgent first. */
export const DECISIONS = ['block', 'look', 'unknown', 'ignore'] as const;
export type Decision = (typeof DECISIONS)[number];

export const DECISION_WORDS: Readonly<Record<Decision, { readonly title: string; readonly why: string }>> = {
  block: { title: 'Block', why: 'The service recommends to block or to escalate these.' },
  look: { title: 'Look', why: 'A person decides: reviews, and what could not be answered.' },
  unknown: { title: 'Unknown', why: "No source lists these. This doesn't mean they are safe." },
  ignore: { title: 'Ignore', why: 'Nothing to do: known services, popular sites, weak reports.' },
};

const SHARED = {
  title: 'Services, research scanners and Tor exits',
  note: 'Many people use these, so decide on them apart.',
};

/** The parts into which the table divides the four decisions, in the order of the table. */
export const PARTS = [
  { id: 'threats', decision: 'block', title: 'Listed as threats', note: '' },
  { id: 'block-shared', decision: 'block', ...SHARED },
  { id: 'review', decision: 'look', title: 'To be reviewed', note: '' },
  {
    id: 'unanswered',
    decision: 'look',
    title: 'Not answered',
    note: 'The service could not judge these, or gave no advice that this page knows.',
  },
  { id: 'look-shared', decision: 'look', ...SHARED },
  {
    id: 'unlisted',
    decision: 'unknown',
    title: 'Not listed',
    note: "No source lists these. This doesn't mean they are safe.",
  },
  { id: 'unknown-shared', decision: 'unknown', ...SHARED },
  { id: 'ignore-shared', decision: 'ignore', ...SHARED },
  { id: 'known', decision: 'ignore', title: 'Known good, popular, reserved or empty', note: '' },
  {
    id: 'faint',
    decision: 'ignore',
    title: 'Low-level, old or weak reports',
    note: 'Watch these. Do not block on this alone.',
  },
] as const satisfies readonly {
  readonly id: string;
  readonly decision: Decision;
  readonly title: string;
  readonly note: string;
}[];
export type Part = (typeof PARTS)[number];

const BY_ID = new Map<string, Part>(PARTS.map((part) => [part.id, part]));
const RANKS = new Map<Part, number>(PARTS.map((part, rank) => [part, rank]));
export const rankOfPart = (part: Part): number => RANKS.get(part) ?? 0;

/**
 * The part of the table for a row, by the action of the ladder (O49). A row that this page cannot place goes to a
 * person: unknown never counts as good, and a grave verdict word outweighs a mild action.
 */
export function partOf(row: BulkRow, verdict: Verdict): Part {
  const id = row.error === null || row.error === undefined ? judgedPart(row, verdict) : 'unanswered';
  return BY_ID.get(id) ?? PARTS[3];
}

function judgedPart(row: BulkRow, verdict: Verdict): Part['id'] {
  const plain = plainPart(row.recommendedAction, verdict);
  if (plain === 'unanswered' || sharedWord(row) === null) return plain;
  return `${BY_ID.get(plain)?.decision ?? 'look'}-shared`;
}

function plainPart(
  action: string | undefined,
  { id, tone }: Verdict,
): Exclude<Part['id'], `${string}-shared`> {
  switch (action) {
    case 'block':
    case 'escalate':
      return 'threats';
    case 'review':
      return 'review';
    case 'monitor':
      return GRAVE.has(id) ? 'review' : 'faint';
    case 'allow':
      if (GRAVE.has(id)) return 'review';
      return tone === 'good' || id === 'reserved' ? 'known' : 'unanswered';
    case 'not-applicable':
      return id === 'reserved' ? 'known' : 'review';
    case 'ignore':
      return id === 'empty-file' ? 'known' : 'review';
    case 'unverified':
      if (GRAVE.has(id)) return 'review';
      return UNLISTED.has(id) ? 'unlisted' : 'unanswered';
    default:
      return 'unanswered';
  }
}

const GRAVE: ReadonlySet<string> = new Set([
  'malicious',
  'critical-risk',
  'high-risk',
  'test-file',
  'vulnerable-driver',
  'suspicious',
]);
/** Verdicts that mean "no source lists it". A service without data sends another one, which counts as not answered. */
const UNLISTED: ReadonlySet<string> = new Set(['not-listed', 'not-seen', 'platform']);

/** Infrastructure that many unrelated people share or that probes everybody, with its word in the table. */
const SHARED_WORDS: ReadonlyMap<string, string> = new Map([
  ['tor-exit', 'Tor exit'],
  ['scanner', 'Research scanner'],
  ['crawler', 'Crawler'],
  ['monitoring', 'Monitoring service'],
  ['dns-resolver', 'DNS resolver'],
  ['doh-resolver', 'Encrypted-DNS resolver'],
]);

/** The name of the shared service or infrastructure that a row is, to show it in a part of its own. Null for others. */
export function sharedWord({ service, infrastructure }: BulkRow): string | null {
  if (service !== undefined) return service.name;
  const known = infrastructure?.attributes.find((word) => SHARED_WORDS.has(word));
  return known === undefined ? null : (SHARED_WORDS.get(known) ?? null);
}
