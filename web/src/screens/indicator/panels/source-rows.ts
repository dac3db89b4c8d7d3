import type { RiskScore, SourceEntry } from '@assay/sdk';
import type { Tone } from '../../../ui/verdict-mark.tsx';
import type { Coverage, Listing, ReputationSeen, Target } from './check-seen.ts';
import { type EntryDate, entryDates } from './entry-dates.ts';
import { subjectWords } from './subject-words.ts';

export type SourceRow = {
  readonly id: string;
  readonly name: string;
  readonly threatClass: string;
  readonly tone: Tone;
  readonly says: string;
  /** How the listing matches: "exact", "the same file, another digest", or the listed range or domain itself. */
  readonly match: string;
  readonly isValue: boolean;
  readonly category: string;
  readonly falsePositiveRisk: string;
  readonly reliability: number;
  /** The malware family or tool as the source names it. */
  readonly family: string | null;
  /** The web address of the source's report, which is third-party text. */
  readonly reference: string | null;
  readonly dates: readonly EntryDate[];
  readonly contribution: number | null;
};

const CLASS_ORDER: readonly string[] = ['threat', 'allowlist', 'infrastructure', 'policy'];

export function sourceRows(reputation: ReputationSeen, score: RiskScore | null): readonly SourceRow[] {
  const listings = new Map((reputation.listings ?? []).map((listing) => [listing.sourceId, listing]));
  const points = new Map((score?.factors ?? []).map(({ name, contribution }) => [name, contribution]));
  return reputation.sources
    .map((source) => {
      const listing = listings.get(source.id);
      return rowOf(
        source,
        listing,
        listing?.contribution ?? (score === null ? null : (points.get(source.id) ?? 0)),
      );
    })
    .toSorted(
      (a, b) =>
        (b.contribution ?? 0) - (a.contribution ?? 0) ||
        CLASS_ORDER.indexOf(a.threatClass) - CLASS_ORDER.indexOf(b.threatClass) ||
        b.reliability - a.reliability,
    );
}

function rowOf(source: SourceEntry, listing: Listing | undefined, contribution: number | null): SourceRow {
  const isThreat = source.threatClass === 'threat';
  return {
    id: source.id,
    name: source.name,
    threatClass: source.threatClass,
    ...saysOf(source.threatClass),
    ...matchOf(source.matchType, listing),
    category: source.category,
    falsePositiveRisk: isThreat ? source.fpRisk : 'n/a',
    reliability: source.confidenceBase / 100,
    family: source.family ?? null,
    reference: source.reference ?? null,
    dates: entryDates(source, listing),
    contribution: isThreat ? contribution : 0,
  };
}

/** What one source says: it accuses, describes or vouches. The words of the ladder are only for the whole verdict. */
function saysOf(threatClass: string): Pick<SourceRow, 'tone' | 'says'> {
  switch (threatClass) {
    case 'threat':
      return { tone: 'accuses', says: 'Accuses' };
    case 'infrastructure':
      return { tone: 'infrastructure', says: 'Describes' };
    case 'allowlist':
      return { tone: 'good', says: 'Vouches' };
    case 'policy':
      return { tone: 'neutral', says: 'Policy' };
    default:
      return { tone: 'neutral', says: threatClass };
  }
}

const MATCHES: Readonly<Record<string, string>> = {
  exact: 'exact',
  cidr: 'a range around it',
  alias: 'the same file, another digest',
  parent: 'a domain above it',
};

/** How a listing matches the indicator. The listed range or domain itself is shown if there is one, as it says most. */
const matchOf = (matchType: string, listing: Listing | undefined): Pick<SourceRow, 'match' | 'isValue'> =>
  (matchType === 'cidr' || matchType === 'parent') && listing !== undefined
    ? { match: listing.value, isValue: true }
    : { match: MATCHES[matchType] ?? matchType, isValue: false };

export function coverageSentence(
  type: Target['type'],
  { coverage, sources }: Pick<ReputationSeen, 'coverage' | 'sources'>,
): string {
  const { one } = subjectWords(type);
  const accusers = sources.filter(({ threatClass }) => threatClass === 'threat').length;
  if (coverage !== undefined) return coveredSentence(coverage, one);
  if (accusers === 0) return `No threat source lists this ${one}. That is not a clean bill.`;
  return `${accusers} threat ${accusers === 1 ? 'source lists' : 'sources list'} this ${one}. The silence of the others is not a clean bill.`;
}

function coveredSentence({ kind, sources, listing, fresh }: Coverage, one: string): string {
  const { many } = subjectWords(kind);
  const silent = Math.max(0, sources - listing);
  const old = Math.max(0, sources - fresh);
  const said =
    sources === 1
      ? `The one source that covers ${many} ${listing === 0 ? `does not list this ${one}. That is not a clean bill.` : `lists this ${one}.`}`
      : listing === 0
        ? `None of the ${sources} sources that cover ${many} lists this ${one}. That is not a clean bill.`
        : `${listing} of ${sources} sources that cover ${many} ${listing === 1 ? 'lists' : 'list'} this ${one}.` +
          (silent === 0 ? '' : ` ${silent} ${silent === 1 ? 'does' : 'do'} not, which is not a clean bill.`);
  return old === 0
    ? said
    : `${said} ${old} of the ${sources} ${old === 1 ? 'has' : 'have'} older data than ${old === 1 ? 'it' : 'they'} should.`;
}

export const emptySentence = (type: Target['type']): string =>
  `No source lists this ${subjectWords(type).one}. That is not a clean bill.`;

/** The rows of the source whose bar in the waterfall was picked, and the sentence of that bar; all rows if none was. */
export function pickedRows(
  rows: readonly SourceRow[],
  picked: string | null,
  score: RiskScore | null,
): { readonly rows: readonly SourceRow[]; readonly note: string | null } {
  if (picked === null) return { rows, note: null };
  const matching = rows.filter(({ id }) => id === picked);
  const sentence = score?.factors.find(({ name }) => name === picked)?.description ?? null;
  return { rows: matching, note: sentence };
}
