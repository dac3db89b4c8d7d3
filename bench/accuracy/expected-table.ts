import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { LADDER, RECOMMENDED_ACTIONS } from '../../server/src/domain/scoring/index.ts';

/** An indicator chosen by hand, with the answers that an expert accepts for it. */
export type Expected = {
  readonly value: string;
  readonly kind: string;
  readonly group: string;
  readonly what: string;
  readonly words: readonly string[];
  readonly actions: readonly string[];
  readonly why: string;
};

export const EXPECTED_FILE = join(import.meta.dirname, 'expected/indicators.tsv');
export const ENTRIES_A_GROUP_MIN = 15;
/** The least share of the table that must be answered as expected. */
export const EXPECTED_SHARE_MIN = 0.97;

export const EXPECTED_GROUPS = [
  'resolvers',
  'clouds',
  'crawlers',
  'mail',
  'popular',
  'long-tail',
  'shorteners',
  'free-hosters',
  'dynamic-dns',
  'tor-vpn',
  'scanners',
  'c2-young',
  'c2-old',
  'phishing-names',
  'phishing-urls',
  'digests',
  'old-reports',
  'look-alikes',
  'reserved',
  'never-seen',
] as const;

/** The word without the name that may follow its colon: `Common service: Quad9` is a `Common service`. */
export const stem = (word: string): string => word.split(':')[0] ?? word;

const WORDS: ReadonlySet<string> = new Set(Object.values(LADDER).map(({ word }) => stem(word)));
const ACTIONS: ReadonlySet<string> = new Set(RECOMMENDED_ACTIONS);
const COLUMNS = 7;
const SEPARATOR = '|';

export function readExpected(text: string = readFileSync(EXPECTED_FILE, 'utf8')): readonly Expected[] {
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.map((line) => {
    const cells = line.split('\t');
    const [value = '', kind = '', group = '', what = '', words = '', actions = '', why = ''] = cells;
    if (cells.length !== COLUMNS) throw new Error(`A line of the table has ${cells.length} columns: ${line}`);
    return {
      value,
      kind,
      group,
      what,
      words: words.split(SEPARATOR),
      actions: actions.split(SEPARATOR),
      why,
    };
  });
}

/** Every mistake of the table as a sentence. */
export function faultsOf(rows: readonly Expected[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { group } of rows) counts.set(group, (counts.get(group) ?? 0) + 1);
  const short = EXPECTED_GROUPS.filter((group) => (counts.get(group) ?? 0) < ENTRIES_A_GROUP_MIN);
  const values = rows.map(({ value }) => value);
  return [
    ...short.map((group) => `${group} has only ${counts.get(group) ?? 0} entries.`),
    ...values.filter((value, at) => values.indexOf(value) !== at).map((value) => `${value} stands twice.`),
    ...rows.flatMap(faultsOfRow),
  ];
}

const WORDS_MAX = 3;
/** The three words of level low say who reported the value and when, so a row that accepts several accepts one level. */
const LOW_WORDS: ReadonlySet<string> = new Set(
  [LADDER.reported, LADDER.reportedLongAgo, LADDER.lowSuspicion].map(({ word }) => word),
);
const alternativesOf = (words: readonly string[]): readonly string[] => [
  ...new Set(words.map((word) => (LOW_WORDS.has(word) ? LADDER.reported.word : word))),
];

function faultsOfRow({ value, kind, group, what, words, actions, why }: Expected): readonly string[] {
  const parsed = parseIndicator(value);
  const faults = [
    parsed.ok && parsed.indicator.kind !== kind ? `is a ${parsed.indicator.kind}, not a ${kind}` : null,
    parsed.ok ? null : `is no indicator: ${parsed.reason}`,
    (EXPECTED_GROUPS as readonly string[]).includes(group) ? null : `has the unknown group ${group}`,
    what === '' || why === '' ? 'has no description or no reason' : null,
    words.every((word) => WORDS.has(word)) ? null : `has a word outside the ladder: ${words.join(', ')}`,
    alternativesOf(words).length > WORDS_MAX ? 'accepts more than three words' : null,
    actions.every((action) => ACTIONS.has(action)) ? null : `has an unknown action: ${actions.join(', ')}`,
  ];
  return faults.filter((fault) => fault !== null).map((fault) => `${value} ${fault}.`);
}
