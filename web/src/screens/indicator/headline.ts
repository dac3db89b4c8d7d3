import { actionOf, type SourceEntry } from '@assay/sdk';
import { exact, plural } from '../../words/numbers.ts';
import { causeWords } from './cause-words.ts';
import { accusersOf } from './causes.ts';
import type { Phases } from './check-state.ts';
import { tellingWords } from './infrastructure-words.ts';
import { type EntryDate, entryDates, isSince } from './panels/entry-dates.ts';
import { serviceWords } from './service-words.ts';

/** What a person would say first about an indicator: its name, what it is, since when, who says so, what to do. */
export type Headline = {
  readonly name: Name | null;
  /** Short phrases: "command and control", "many unrelated people share this address". */
  readonly about: readonly string[];
  readonly since: string | null;
  readonly who: Who | null;
  /** The advice; null before there is a verdict. */
  readonly action: string | null;
};

export type Name = {
  readonly text: string;
  readonly kind: 'family' | 'lookalike' | 'label' | 'service' | 'test' | 'cause';
};

export type Who = {
  /** "2 independent sources", "One source". */
  readonly count: string;
  readonly names: readonly string[];
  readonly more: number;
};

const NAMES_MAX = 3;
const FAMILIES_MAX = 3;
const TEST = 'test';
/** A verdict word that says what the file is; the lists of such drivers name malware as their cause. */
const DRIVER = 'Vulnerable driver';
/** Verdict words that already name the service, so that the headline does not repeat it. */
const NAMES_SERVICE = /^Common service: /;

export function headlineOf(phases: Phases): Headline {
  const accusers = accusersOf(phases);
  const named = namedOf(phases, accusers);
  return {
    ...named,
    since: sinceOf(phases, accusers),
    who: whoOf(phases, accusers),
    action: adviceOf(phases, accusers.length),
  };
}

function namedOf(
  { reputation, insights }: Phases,
  accusers: readonly SourceEntry[],
): Pick<Headline, 'name' | 'about'> {
  if (reputation === undefined) return { name: null, about: [] };
  const { malwareFamilies, malwareFamily, lookalike, service, infrastructure } = reputation;
  const word = (insights ?? reputation.verdict)?.riskScore.word ?? '';
  const [first] = accusers;
  const cause = first === undefined || word === DRIVER ? [] : [causeWords(first.category)];
  const label = tellingWords(infrastructure?.attributes ?? []);
  const meaning = label === null ? [] : [label.meaning];
  if (first?.category === TEST) return { name: { kind: 'test', text: first.name }, about: [] };
  if (malwareFamily !== undefined) {
    const others = (malwareFamilies ?? [])
      .filter((family) => family !== malwareFamily)
      .slice(0, FAMILIES_MAX);
    const also = others.length === 0 ? [] : [`also ${others.join(', ')}`];
    return { name: { kind: 'family', text: malwareFamily }, about: [...cause, ...also, ...tagOf(label)] };
  }
  if (lookalike !== undefined)
    return { name: { kind: 'lookalike', text: `Look-alike of ${lookalike.of}` }, about: cause };
  if (service !== undefined) {
    const about = `${serviceWords(service.kind)} of ${service.operator}`;
    const isTold = NAMES_SERVICE.test(word);
    return { name: isTold ? null : { kind: 'service', text: service.name }, about: [about, ...cause] };
  }
  if (label !== null) return { name: { kind: 'label', text: label.tag }, about: [...cause, ...meaning] };
  const [text] = cause;
  return { name: text === undefined ? null : { kind: 'cause', text: capital(text) }, about: [] };
}

const tagOf = (label: ReturnType<typeof tellingWords>): readonly string[] =>
  label === null ? [] : [label.tag];

/** A sentence: the earliest date of the entries and the latest of a sighting or of a list that still has it (O55). */
function sinceOf({ reputation }: Phases, accusers: readonly SourceEntry[]): string | null {
  const listings = new Map((reputation?.listings ?? []).map((each) => [each.sourceId, each]));
  const dates = accusers.flatMap((source) =>
    entryDates(source, listings.get(source.id)).map((date) => ({ ...date, by: source.name })),
  );
  if (accusers.length === 0) return null;
  const first = dates.filter(isSince).toSorted(byWordThenDate)[0];
  const last = dates
    .filter((date) => !isSince(date))
    .toSorted((a, b) => b.at.localeCompare(a.at) || a.word.localeCompare(b.word))[0];
  const by = first !== undefined && accusers.length > 1 ? ` by ${first.by}` : '';
  const since = first === undefined ? 'No source dates it' : `${wordOf(first)}${by}`;
  return `${capital(since)}${last === undefined ? '' : `, ${wordOf(last)}`}.`;
}

/** Sorts a source's own date first, because it says more than the day when the entry appeared in a list. */
const byWordThenDate = (a: EntryDate, b: EntryDate): number =>
  Number(a.word === 'listed since') - Number(b.word === 'listed since') || a.at.localeCompare(b.at);

const wordOf = ({ word, at }: EntryDate): string => `${word} ${at.slice(0, 10)}`;

function whoOf({ reputation }: Phases, accusers: readonly SourceEntry[]): Who | null {
  if (accusers.length === 0) return null;
  const independent = reputation?.verdict?.independentSources;
  return {
    count: countWords(accusers.length, independent),
    names: accusers.slice(0, NAMES_MAX).map(({ name }) => name),
    more: Math.max(0, accusers.length - NAMES_MAX),
  };
}

export function countWords(sources: number, independent: number | undefined): string {
  if (sources === 1) return 'One source';
  if (independent === undefined || independent === 0) return plural(sources, 'source');
  if (independent >= sources) return `${exact(sources)} independent sources`;
  return `${plural(sources, 'source')} of ${independent === 1 ? 'one origin' : `${exact(independent)} origins`}`;
}

/** What to do, in the imperative. A review names the number of reports to read. */
function adviceOf({ reputation, insights }: Phases, accusers: number): string | null {
  const judged = insights ?? reputation?.verdict;
  if (judged === undefined) return null;
  const { recommendedAction } = judged.evidence;
  if (recommendedAction === 'unverified' && judged.riskScore.word.startsWith('Platform'))
    return 'Judge the name below it.';
  if (recommendedAction !== 'review' || accusers === 0) return actionOf(recommendedAction);
  if (accusers === 1) return 'Look at the report before you block.';
  return `Look at the ${NUMBERS[accusers] ?? exact(accusers)} reports before you block.`;
}
const NUMBERS: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four', 5: 'five' };

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
