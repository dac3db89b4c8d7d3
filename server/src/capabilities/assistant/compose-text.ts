import type { CheckResult } from '#capabilities/check/index.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { Brief } from './contract.ts';

/** The name of a source comes from outside, so its length is limited. */
const NAME_MAX = 60;
const SUBJECT_MAX = 80;
const REASONS_MAX = 3;
const REASON_MAX = 200;

type Verdict = Brief['verdict'];

const HEADLINES: Readonly<Record<Verdict, (subject: string, score: number) => string>> = {
  critical: (subject, score) => `${subject} is a critical risk (${score} of 100).`,
  high: (subject, score) => `${subject} is a high risk (${score} of 100).`,
  medium: (subject, score) => `${subject} is a medium risk (${score} of 100).`,
  low: (subject, score) => `${subject} is a low risk (${score} of 100).`,
  safe: (subject, score) => `${subject} is rated safe by what is known now (${score} of 100).`,
  unknown: (subject) => `There is no verdict on ${subject}: no source has an entry for it.`,
};

export const ACTIONS: Readonly<Record<Brief['recommendedAction'], string>> = {
  block: 'Block it.',
  escalate: 'Escalate it: the evidence is strong and contradicts itself.',
  review: 'Have it reviewed by a person.',
  monitor: 'Monitor it.',
  allow: 'It can be allowed.',
  unverified: 'Treat it as unverified.',
};

/** A score of 0 has the level `safe`; beside "unknown" that word would be read as a verdict. */
export const levelBeside = (verdict: Verdict, level: string | undefined): string | null =>
  verdict === 'unknown' && level !== undefined ? 'inconclusive' : (level ?? null);

export const headlineOf = (verdict: Verdict, subject: string, score: number | null): string =>
  HEADLINES[verdict](shown(subject, SUBJECT_MAX), score ?? 0);

export const composeSummary = (result: CheckResult): string =>
  `${headlineOf(result.evidence?.verdict ?? 'unknown', result.query ?? '', result.riskScore?.score ?? null)} ${composeReasons(result)}`;

/** Composes sentences from the evidence alone; the same evidence gives the same words. */
export function composeReasons(result: CheckResult): string {
  const { evidence } = result;
  return [
    (evidence?.verdict ?? 'unknown') === 'unknown' ? 'Unknown is not clean.' : '',
    listedBy(result),
    result.malicious ? 'A scanner-type source calls it malicious.' : '',
    ...(evidence?.reasons ?? []).slice(0, REASONS_MAX).map((reason) => shown(reason, REASON_MAX)),
    describedAs(result),
    contradicted(result),
    missingFacets(result),
    evidence === null || evidence === undefined ? '' : ACTIONS[evidence.recommendedAction],
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function listedBy({ blocklistHits = 0, sources = [] }: CheckResult): string {
  if (blocklistHits === 0) return 'No threat list names it.';
  const names = threatNames(sources).slice(0, REASONS_MAX);
  const lead = `${count(blocklistHits, 'threat list names', 'threat lists name')} it`;
  if (names.length === 0) return `${lead}.`;
  return names.length < blocklistHits
    ? `${lead}, among them ${inWords(names)}.`
    : `${lead}: ${inWords(names)}.`;
}

export const threatNames = (sources: NonNullable<CheckResult['sources']>): string[] =>
  sources.flatMap(({ name, threatClass }) => (threatClass === 'threat' ? [shown(name, NAME_MAX)] : []));

const describedAs = ({ infrastructure }: CheckResult): string =>
  infrastructure === undefined || infrastructure.attributes.length === 0
    ? ''
    : `It is known as ${inWords(infrastructure.attributes.slice(0, REASONS_MAX))}, which accuses it of nothing.`;

function contradicted({ evidence }: CheckResult): string {
  const signals = evidence?.contradictorySignals ?? [];
  return signals.length === 0
    ? ''
    : `Against that: ${signals
        .slice(0, REASONS_MAX)
        .map(({ title }) => shown(title, REASON_MAX))
        .join('; ')}.`;
}

function missingFacets({ dataTrust }: CheckResult): string {
  const missing = dataTrust?.completeness.missing ?? [];
  return missing.length === 0 ? '' : `Not known: ${inWords(missing)}.`;
}

export const count = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`;

export function inWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

export function shown(text: string, max: number): string {
  const inert = inertText(text, max + 1) ?? '';
  return inert.length > max ? `${inertText(inert, max - 1) ?? ''}…` : inert;
}
