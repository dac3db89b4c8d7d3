import {
  type AutonomousSystem,
  type FamilyPage,
  type MemberCounts,
  type RangePage,
  type SourceFacts,
  verdictOfLevel,
} from '@assay/sdk';
import type { Bar } from '../../charts/bars.tsx';
import type { LevelPart } from '../../charts/level-shares.ts';
import { exact, plural } from '../../words/numbers.ts';

/** What a page is about, for its sentences: "in this range", "by this source". */
export type Subject = 'network' | 'range' | 'source' | 'family';

const INSIDE: Readonly<Record<Subject, string>> = {
  network: 'in this network',
  range: 'in this range',
  source: 'by this source',
  family: 'under this name',
};

const WORST_FIRST = ['critical', 'high', 'medium', 'low', 'inconclusive', 'safe'] as const;
/** The word for a listed value below 10 points, whose reports have faded or are too weak to count. */
const FADED = { word: 'Under 10 points', tone: 'neutral' } as const;

/** The words that listed values of a page have, worst level first. Values below 10 points are one part. */
export const levelParts = ({ byLevel, byWord }: MemberCounts): readonly LevelPart[] =>
  WORST_FIRST.filter((level) => byLevel[level] > 0).flatMap((level): readonly LevelPart[] => {
    if (level === 'inconclusive') return [{ id: level, level, ...FADED, count: byLevel[level] }];
    return byWord
      .filter((each) => each.level === level)
      .map(({ word, count }) => {
        const verdict = verdictOfLevel(level, word);
        return { id: `${level} ${verdict.id}`, level, word: verdict.word, tone: verdict.tone, count };
      });
  });

export const levelSentence = (parts: readonly LevelPart[]): string =>
  `Listed values by level: ${parts.map(({ word, count }) => `${word} ${exact(count)}`).join(', ')}.`;

export function shareBars(counts: Readonly<Record<string, number>>, of: number, max: number): readonly Bar[] {
  return Object.entries(counts)
    .slice(0, max)
    .map(([word, count]) => ({
      id: word,
      label: word,
      count,
      share: `${((100 * count) / Math.max(1, of)).toFixed(1)} %`,
    }));
}

/** "412 values are listed in this range. Of the newest 2,000 …" */
export function countSentence(subject: Subject, { listed, examined, isPartial }: MemberCounts): string {
  const inside = INSIDE[subject];
  if (listed === 0) return `Nothing is listed ${inside}.`;
  const atLeast = isPartial && listed <= examined ? 'At least ' : '';
  const head = `${atLeast}${plural(listed, 'value is', 'values are')} listed ${inside}.`;
  return isPartial
    ? `${head} The newest ${exact(examined)} were judged; the numbers and the list below are of these.`
    : head;
}

/** Why a page shows no values. It must not sound like a verdict: a range that is not listed is not clean. */
export function emptyWords(subject: Subject, { listed, withheld }: MemberCounts): string {
  if (listed > 0 && withheld > 0)
    return `The licence does not allow to pass the values on: ${plural(withheld, 'is', 'are')} counted and not named.`;
  if (subject === 'source') return 'This source has no entry now: its list is empty, or was not loaded yet.';
  return `No threat list names a value ${INSIDE[subject]} now. That is not a clean bill: lists see little, and late.`;
}

export const withheldWords = ({ withheld }: MemberCounts): string | null =>
  withheld === 0
    ? null
    : `${plural(withheld, 'entry is', 'entries are')} only counted, because a licence does not allow to pass ${withheld === 1 ? 'it' : 'them'} on.`;

const day = (time: string): string => time.slice(0, 10);

/** First and newest date of the entries, as their sources date them (O55). */
export function dateSentence({ dates: { earliest, latest, undated } }: MemberCounts): string | null {
  const none =
    undated === 0
      ? ''
      : ` ${plural(undated, 'entry has', 'entries have')} no date of ${undated === 1 ? 'its' : 'their'} own.`;
  if (earliest === null || latest === null) return none === '' ? null : none.trim();
  const when =
    day(earliest) === day(latest)
      ? `Reported or first listed on ${day(latest)}.`
      : `Reported or first listed from ${day(earliest)} to ${day(latest)}.`;
  return when + none;
}

const FORMS: Readonly<Record<SourceFacts['threatClass'], string>> = {
  threat: 'a list of threats',
  infrastructure: 'a list that says what a value is, and accuses nobody',
  policy: 'a list of what some networks do not want, such as advertising',
  allowlist: 'a list of values that it vouches for',
};

export function sourceSentence(source: SourceFacts): string {
  const { name, threatClass, category, letter, confidenceBase, licence } = source;
  const terms = licence === null ? 'Its licence is not known.' : `Licence: ${licence}.`;
  return `${name} is ${FORMS[threatClass]} (${category}), graded ${letter} with a reliability of ${confidenceBase} of 100. ${terms}`;
}

/** "still listed on" a date: the date of the source's data and never of our download (O55). */
export function freshnessSentence({ dataAt, freshness, entries }: SourceFacts): string {
  if (dataAt === null) return 'Nothing of it has been loaded yet.';
  const listed = `${plural(entries, 'entry', 'entries')}, still listed on ${day(dataAt)}`;
  if (freshness === 'stale') return `${listed}. Its data is older than it promises.`;
  return freshness === 'fresh' ? `${listed}. Its data came on time.` : `${listed}.`;
}

const OTHER_NAMES_MAX = 12;

export function familySentence({ family, words, sources }: FamilyPage): string {
  const others = [...new Set(words.filter((word) => word !== family))];
  const named = `${family} is the name of a malware family or tool that ${plural(sources.length, 'source uses', 'sources use')}.`;
  if (others.length === 0) return named;
  const shown = others.slice(0, OTHER_NAMES_MAX).join(', ');
  const more = others.length - OTHER_NAMES_MAX;
  return `${named} Also written ${shown}${more > 0 ? ` and ${exact(more)} more` : ''}.`;
}

const NETWORK_TYPES: Readonly<Record<string, string>> = {
  isp: 'an access network',
  hosting: 'a hosting network',
  business: 'a business network',
  education: 'a network of education',
  government: 'a government network',
};

export function asnSentence(system: AutonomousSystem): string {
  const { asn, asName, country, registry, type, updatedAt, members, message } = system;
  if (!system.loaded) return `AS${asn}. ${message ?? 'No table of networks is loaded on this service.'}`;
  const what = NETWORK_TYPES[type] ?? 'an autonomous system';
  const named =
    asName === null
      ? `AS${asn} is ${what} without a name in the table of networks`
      : `AS${asn} is ${what}, ${asName}`;
  const where = [country, registry === null ? null : `registered at ${registry}`].filter(
    (word) => word !== null,
  );
  const ranges =
    members === undefined || updatedAt === null
      ? ''
      : ` It announces ${plural(members.announced, 'range')}, in the table of ${day(updatedAt)}.`;
  return `${[named, ...where].join(', ')}.${ranges}`;
}

export const listedAsnSentence = ({ listed, list }: AutonomousSystem): string | null =>
  listed === true
    ? `The network itself is on a list of networks that serve crime${list === null ? '' : ` (${list})`}.`
    : null;

export function rangeSentence({ cidr, density, networks, labels }: RangePage): string {
  const { unit, total, listed } = density;
  const units = unit === 'address' ? plural(total, 'address', 'addresses') : `${exact(total)} blocks of /64`;
  const [what, holds] =
    unit === 'address'
      ? ['them', listed > 1 ? 'are named by a threat list' : 'is named by a threat list']
      : [
          'these blocks',
          listed > 1
            ? 'hold an address that a threat list names'
            : 'holds an address that a threat list names',
        ];
  const named = `${listed === 0 ? 'none' : exact(listed)} of ${what} ${holds} now`;
  const called = labels.length === 0 ? '' : ` Lists call it ${labels.join(', ')}.`;
  const whose = networks.length === 0 ? ' No loaded table says who announces it.' : '';
  return `${cidr} holds ${units}; ${named}.${called}${whose}`;
}

/** What `/asn/` takes: `13335`, `AS13335`, `as 13335`. Null for anything else. */
export function asnOf(text: string): number | null {
  const [, digits] = /^(?:asn?)?\s*(\d{1,10})$/i.exec(text.trim()) ?? [];
  const asn = Number(digits);
  return digits !== undefined && asn > 0 && asn < 2 ** 32 ? asn : null;
}
