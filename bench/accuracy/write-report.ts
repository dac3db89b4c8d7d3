import { gatesOf } from './gates.ts';
import { ENTRIES_MIN, type Recall } from './held-out.ts';
import { atLeast, type LevelCounts } from './level-counts.ts';
import type { Accuracy } from './measure.ts';
import { type Named, NEGATIVE_SETS, type NegativeName } from './negatives.ts';
import { policiesOf } from './policies.ts';
import type { SourceScore } from './scorecard.ts';
import type { SignalDay } from './signals.ts';
import type { ForwardDay } from './time-forward.ts';
import { type Differences, expectedSection } from './write-expected.ts';
import { forwardSection } from './write-forward.ts';
import { ratesSection } from './write-rates.ts';
import { signalsSection } from './write-signals.ts';
import { versionsSection } from './write-versions.ts';

const count = (value: number): string => value.toLocaleString('en-US');
const percent = (part: number, whole: number, digits = 1): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(digits)} %`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = `|${head.map((_, index) => (index === 0 ? '---|' : '---:|')).join('')}`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

const TITLES: Readonly<Record<NegativeName, string>> = {
  'tranco-10k': 'Tranco, first 10,000',
  'cloudflare-10k': 'Cloudflare, first 10,000',
  'cloudflare-100k': 'Cloudflare, first 100,000',
  'majestic-10k': 'Majestic, first 10,000',
  'moz-500': 'Moz, first 500',
  'popular-www': 'Hosts of these lists, with `www.` before them',
  'lots-project': 'Sites that attackers use (LOTS)',
  'link-in-bio': 'Link-in-bio sites',
  'url-shortener': 'URL shorteners',
  'psl-private-roots': 'Platform roots (public suffix list, private section)',
  'named-services': 'Named services without an accusation of grade A',
  'service-addresses': 'Accused addresses inside service ranges',
  'research-scanners': 'Research scanners, accused of attacks or nuisance',
  'research-scanners-critical': 'Research scanners, accused of C2, malware, phishing or ransomware',
  'tor-exits': 'Tor exits',
};
/** The lists that define popularity: only their hosts are also judged without the list itself. */
const GUARDING: ReadonlySet<NegativeName> = new Set([
  'tranco-10k',
  'cloudflare-10k',
  'cloudflare-100k',
  'majestic-10k',
  'moz-500',
]);

export function writeReport(
  accuracy: Accuracy,
  forward: readonly ForwardDay[],
  expected: Differences,
  signals: readonly SignalDay[],
): string {
  return `${[
    opening(accuracy),
    policySection(accuracy),
    versionsSection(accuracy),
    gateSection(accuracy),
    expectedSection(expected),
    negativeSection(accuracy),
    namedSection(accuracy),
    recallSection(accuracy),
    categorySection(accuracy),
    levelSection(accuracy),
    ratesSection(accuracy),
    forwardSection(forward),
    signalsSection(signals),
    sourceSection(accuracy),
    LIMITS,
  ].join('\n\n')}\n`;
}

const opening = ({ keys, accused, sums, timings, model }: Accuracy): string => `# How right is the score?

Measured, not claimed. Every figure here is written by \`npm run bench:accuracy\` from real lists, through the same
lookup and the same judgement that answer \`GET /check\`. Model version ${model}; data collected on 22 August 2026 and
judged as of 23 August 2026, 00:00 UTC; no live providers, no network data.

- ${count(keys)} listed keys were walked, ${count(accused)} of them accused by at least one threat list.
- ${count(sums.judged)} verdicts were given on the way; in ${count(sums.exact)} of them the factors add up to the score (${percent(sums.exact, sums.judged, 2)}), and in ${count(sums.consistent)} level, word, action and \`malicious\` say the same.
- One lookup and judgement takes ${timings.p50Us} µs (median) and ${timings.p99Us} µs (99th percentile); the walk took ${timings.walkSeconds.toFixed(0)} s.

![What each rule catches, and its false alarms](accuracy.svg)`;

function policySection(accuracy: Accuracy): string {
  const sets: readonly NegativeName[] = [
    'tranco-10k',
    'cloudflare-100k',
    'service-addresses',
    'research-scanners',
  ];
  const rows = policiesOf(accuracy).map(({ name, caughtMean, caughtAll, alarms }) => [
    name,
    percent(caughtMean, 1),
    percent(caughtAll, 1),
    ...sets.map((set) => count(alarms(set))),
  ]);
  const largest = accuracy.recall.lineages[0]?.entries ?? 0;
  const all = accuracy.recall.all.entries;
  const head = sets.map((set) => `${set} (${count(accuracy.negatives[set].entries)})`);
  return `## What each rule catches, and its false alarms

Caught: every entry is judged without its own lineage and without every list of lists. The rest is what independent
sources knew, so "any list" is about the most that a rule can catch. The mean gives every lineage the same weight; of
all entries one lineage holds ${percent(largest, all, 0)}.

${table(['flag what has', 'caught, mean of lineages', 'caught, all entries', ...head], rows)}`;
}

const gateSection = (accuracy: Accuracy): string => `## Gates

A build that exceeds one of these fails (\`server/test/proofs/real-corpus.test.ts\`). There are no exceptions for single
entries in the code: a gate is met by rules and by the catalogue rows of sources.

${table(
  ['gate', 'at most', 'measured'],
  gatesOf(accuracy).map(({ what, max, measured }) => [what, count(max), count(measured)]),
)}`;

function negativeSection({ negatives }: Accuracy): string {
  const rows = NEGATIVE_SETS.map((name) => {
    const { entries, levels, policies, scored, withoutOwnGuard } = negatives[name];
    return [
      TITLES[name],
      count(entries),
      count(policies.anyList),
      count(scored),
      ...levelCells(levels),
      GUARDING.has(name) ? count(atLeast(withoutOwnGuard, 'medium')) : '',
    ];
  });
  return `## What should not be blocked

Hosts are exact: a page or a name below a popular host is not guarded by it. Addresses are those that at least one
threat list names. The last column judges the same hosts without the list that calls them popular: without it, the
guard against false alarms does not apply to them. Research scanners and Tor exits are not innocent; a scanner's
scanning alone must stay at \`low\`.

${table(
  [
    'set',
    'entries',
    'on any list',
    'score above 0',
    'low',
    'medium',
    'high',
    'critical',
    'medium or above without its own list',
  ],
  rows,
)}`;
}

const levelCells = (levels: LevelCounts): readonly string[] => [
  count(levels.low),
  count(levels.medium),
  count(levels.high),
  count(levels.critical),
];

function namedSection({ negatives }: Accuracy): string {
  const parts = NEGATIVE_SETS.filter((name) => negatives[name].named.length > 0).map((name) => {
    const { named } = negatives[name];
    return `### ${TITLES[name]}\n\n${named.map(namedLine).join('\n')}`;
  });
  return `## The false alarms that remain, by name

At \`medium\` or above (of service addresses: \`high\` or above). After each source stand its accusation, how it matches
and its points. Some of them are no mistakes: a popular advertising host can spread malware, and an address range that
a list gives to a service may hold rented servers (those of known clouds are taken out of the ranges of delivery networks).

${parts.join('\n\n')}`;
}

function namedLine({ value, score, level, sources, adjustments }: Named): string {
  const counted = sources.filter((source) => !source.endsWith(' 0'));
  const silent = sources.length - counted.length;
  const rest = silent === 0 ? '' : `; ${silent} more without points`;
  const context = adjustments.length === 0 ? '' : `; ${adjustments.join(', ')}`;
  return `- \`${value}\` ${score} (${level}): ${counted.join(', ')}${rest}${context}`;
}

const RECALL_HEAD = ['entries', 'any list', 'two lists', 'low or above', 'medium or above', 'high or above'];
const recallCells = ({ entries, anyList, twoLists, low, medium, high }: Recall): readonly string[] => [
  count(entries),
  ...[anyList, twoLists, low, medium, high].map((caught) => percent(caught, entries)),
];

const recallSection = ({ recall }: Accuracy): string => `## Caught without its own lineage

Lineages with ${ENTRIES_MIN} entries or more, all entries, no sampling. A low figure means that no other source has these
entries, or that the others are old: it says nothing about the list's own quality.

${table(
  ['lineage', ...RECALL_HEAD],
  [
    ...recall.lineages.map((each) => [each.lineage, ...recallCells(each)]),
    ['**all**', ...recallCells(recall.all)],
  ],
)}`;

function categorySection({ recall, precision }: Accuracy): string {
  const byName = new Map(recall.categories.map((each) => [each.category, each]));
  const rows = Object.entries(precision)
    .filter(([category]) => byName.has(category))
    .sort(([, a], [, b]) => b.flagged - a.flagged)
    .map(([category, { flagged, good, anyList, anyListGood }]) => {
      const held = byName.get(category) as Recall;
      return [
        category,
        count(flagged),
        count(good),
        percent(flagged - good, flagged, 3),
        percent(anyList - anyListGood, anyList, 3),
        percent(held.medium, held.entries),
      ];
    });
  return `## By category

Of everything accused, by its strongest accusation. Known good: a popular host, a platform, an address of a service or
of a shared exit. Precision here is the share that is not known to be good; an entry without a vouching source
counts as rightly flagged.

${table(
  [
    'category',
    'medium or above',
    'of them known good',
    'precision',
    'precision of any list',
    'caught without its own lineage',
  ],
  rows,
)}`;
}

function levelSection({ levels, negatives }: Accuracy): string {
  const sum = (of: LevelCounts): number => of.safe + atLeast(of, 'low') + of.inconclusive;
  const rows = Object.entries(levels)
    .map(([kind, of]) => ({ kind, of, entries: sum(of) }))
    .sort((a, b) => b.entries - a.entries)
    .map(({ kind, of, entries }) => [
      kind,
      count(entries),
      ...[of.safe, of.inconclusive, of.low, of.medium, of.high, of.critical].map((part) =>
        percent(part, entries),
      ),
    ]);
  const tor = negatives['tor-exits'];
  return `## Where the accused stand

Inconclusive: accused, and the accusation has faded or is too weak to count. Safe: so, and a list vouches for it. Lists
of this data set are up to five years old, and age is counted from the data, never from the import.

${table(['kind', 'accused', 'safe', 'inconclusive', 'low', 'medium', 'high', 'critical'], rows)}

Tor exits: ${count(tor.policies.anyList)} of ${count(tor.entries)} are on a threat list; ${count(atLeast(tor.levels, 'medium'))} stand at \`medium\` or above.`;
}

const SOURCES_SHOWN = 12;
const SOURCE_ENTRIES_MIN = 500;

function sourceSection({ sources }: Accuracy): string {
  const own = sources.filter(({ isAggregate, entries }) => !isAggregate && entries >= SOURCE_ENTRIES_MIN);
  const share = (of: SourceScore, field: 'corroborated' | 'knownGood'): number => of[field] / of.entries;
  const best = [...own].sort((a, b) => share(b, 'corroborated') - share(a, 'corroborated'));
  const worst = [...own].sort((a, b) => share(b, 'knownGood') - share(a, 'knownGood'));
  const row = (of: SourceScore): readonly string[] => [
    of.id,
    `${of.letter}, ${of.fpRisk}`,
    count(of.entries),
    percent(of.corroborated, of.entries),
    percent(of.unique, of.entries),
    percent(of.knownGood, of.entries, 2),
    (of.points / of.entries).toFixed(1),
  ];
  const head = [
    'source',
    'grade, noise',
    'entries',
    'confirmed',
    'no other source',
    'known good',
    'mean points',
  ];
  return `## Sources

Threat lists with ${SOURCE_ENTRIES_MIN} entries or more, without lists of lists; all ${sources.length} are in \`bench/results/accuracy.json\`. Confirmed:
another lineage lists it too. Known good: among the first 10,000 sites, or inside a service's range. Points are those
before context.

Most often confirmed by others:

${table(head, best.slice(0, SOURCES_SHOWN).map(row))}

Least often:

${table(head, best.slice(-SOURCES_SHOWN).reverse().map(row))}

Most known-good entries:

${table(head, worst.slice(0, SOURCES_SHOWN).map(row))}`;
}

const LIMITS = `## How to repeat it

\`\`\`
npm run bench:accuracy                       # imports ../shared/data into a database of its own, measures, drops it
npm run bench:accuracy -- --keep DIR         # the same, and keeps the imported replica in DIR
npm run bench:accuracy -- --reuse DIR        # measures a kept replica again; needs no database
npm run bench:expected -- --reuse DIR        # judges the 300 indicators chosen by hand
npm run bench:forward                        # what the lists of a past day foresaw, signal by signal
npm run bench:signals                        # rates of crowded networks, other thresholds of the name table
\`\`\`

It needs PostgreSQL, the data set beside the project, about eight minutes and 1.1 GB. It prints
tables and lines \`accuracy NAME VALUE\`, and writes this page, its picture and \`bench/results/accuracy.json\`. The same
measures run with the gates in the proof \`corpus-imported\`; [proofs](proofs.md#corpus-imported) says when it last ran.

## What these figures do not say

- **Corroboration is not truth.** Leaving a lineage out shows what independent lists agree on. A list that is right
  alone scores badly, a mistake that many lists copy scores well.
- **The weights were set on this same snapshot.** The constants of the model and the grades of sources were chosen with
  these lists in view. A month that was never looked at is the fair test; it is not in this data set.
- **The guards and the sets that should not be blocked come from the same lists.** That is why the last column of
  "What should not be blocked" judges each list's hosts without that list.
- **Popular is not harmless.** Hosts of the first 100,000 do get compromised, and some advertising hosts are rightly
  accused. A named false alarm is a question to a person, not proof of a mistake.
- **One day.** How early a threat is seen, and how soon a cleaned host is let go, needs a history of days.
- **Unlisted threats are not counted.** Nothing here measures threats that no list has.`;
