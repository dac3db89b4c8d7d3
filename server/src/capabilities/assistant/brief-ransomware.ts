import { count, inWords, shown } from './compose-text.ts';
import { type Brief, SOURCES_MAX } from './contract.ts';
import { fitted } from './present-brief.ts';

/** The part of `/check/ransomware` that the brief needs. */
export type RansomwareFound =
  | {
      readonly queryType: 'stats';
      readonly stats: {
        readonly totalVictims: number | null;
        readonly activeGroups: number | null;
        readonly attacksThisMonth: number | null;
      };
      readonly loaded: boolean;
      /** Date of the newest loaded claim. */
      readonly dataAsOf: string | null;
      readonly message: string;
    }
  | {
      readonly query: string;
      readonly queryType: 'ip' | 'domain' | 'hash' | 'group' | 'keyword';
      readonly matches: readonly {
        readonly kind: 'victim' | 'ioc' | 'group';
        readonly name: string;
        readonly group: string | null;
        readonly discoveredAt: string | null;
      }[];
      /** All claims that match; `matches` has the newest alone. Null: not loaded. */
      readonly total: number | null;
      readonly groups: readonly string[];
      readonly loaded: boolean;
      readonly message: string;
    };

const NAME_MAX = 100;
const NAMED_MAX = 3;

/**
 * A claim is no verdict on the victim, and none on whether there was an attack: the verdict stays unknown. Where a list
 * of indicators names the query, `/gpt/check` has the verdict.
 */
export function briefOfRansomware(found: RansomwareFound): Brief {
  const said = found.queryType === 'stats' ? ofStats(found) : ofEntity(found);
  return fitted({
    query: found.queryType === 'stats' ? '' : shown(found.query, NAME_MAX * 2),
    type: 'ransomware',
    verdict: 'unknown',
    ...said,
    riskScore: null,
    riskLevel: null,
    reportUrl: null,
  });
}

type Said = Pick<Brief, 'headline' | 'summary' | 'recommendedAction' | 'categories' | 'sources'>;

function ofStats({ stats, dataAsOf, message }: Extract<RansomwareFound, { queryType: 'stats' }>): Said {
  const { totalVictims, attacksThisMonth, activeGroups } = stats;
  if (totalVictims === null) return nothingLoaded(message);
  if (attacksThisMonth === null || activeGroups === null)
    return {
      headline: `Inconclusive: the loaded ransomware claims end on ${dayOf(dataAsOf)}.`,
      summary: `Ransomware groups claim ${count(totalVictims, 'victim', 'victims')} in the loaded data. ${message}`,
      recommendedAction: 'unverified',
      categories: [],
      sources: [],
    };
  return {
    headline: `Ransomware groups claim ${count(totalVictims, 'victim', 'victims')} in the loaded data.`,
    summary: `${count(attacksThisMonth, 'claim', 'claims')} this month, and ${count(activeGroups, 'group', 'groups')} with a claim in 30 days. ${message}`,
    recommendedAction: 'monitor',
    categories: [],
    sources: [],
  };
}

const nothingLoaded = (message: string): Said => ({
  headline: 'No ransomware data is loaded on this service.',
  summary: message,
  recommendedAction: 'unverified',
  categories: [],
  sources: [],
});

function ofEntity(found: Exclude<RansomwareFound, { queryType: 'stats' }>): Said {
  if (!found.loaded) return nothingLoaded(found.message);
  const subject = shown(found.query, NAME_MAX);
  const claims = found.matches.filter(({ kind }) => kind === 'victim');
  const lists = found.matches.filter(({ kind }) => kind === 'ioc');
  return {
    headline: headlineOf(found, subject),
    summary: [...claims.slice(0, NAMED_MAX).map(sentenceOf), found.message].join(' '),
    recommendedAction: claims.length + lists.length > 0 ? 'review' : 'unverified',
    categories: found.matches.length > 0 ? ['ransomware'] : [],
    sources: lists.slice(0, SOURCES_MAX).map(({ name }) => shown(name, NAME_MAX)),
  };
}

function headlineOf(
  { queryType, groups, matches, total }: Exclude<RansomwareFound, { queryType: 'stats' }>,
  subject: string,
): string {
  if (matches.some(({ kind }) => kind === 'ioc'))
    return `${subject} is named by a list of ransomware indicators.`;
  if (queryType === 'group')
    return total === null
      ? `${subject} is a ransomware group; no claims are loaded.`
      : `${subject} is a ransomware group with ${count(total, 'claim', 'claims')} in the loaded data.`;
  if (total === null || total === 0) return `No loaded ransomware claim names ${subject}.`;
  const by = inWords(groups.slice(0, NAMED_MAX).map((group) => shown(group, NAME_MAX)));
  return `${count(total, 'ransomware claim names', 'ransomware claims name')} ${subject}, by ${by}.`;
}

const sentenceOf = ({
  name,
  group,
  discoveredAt,
}: {
  readonly name: string;
  readonly group: string | null;
  readonly discoveredAt: string | null;
}): string =>
  `${shown(group ?? 'A group', NAME_MAX)} claimed ${shown(name, NAME_MAX)} on ${dayOf(discoveredAt)}.`;

const dayOf = (at: string | null): string => at?.slice(0, 10) ?? 'an unknown day';
