import type { CheckResult } from '#capabilities/check/index.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { Brief } from './contract.ts';

/** Limits a source's name, because it comes from outside. */
const NAME_MAX = 60;
const SUBJECT_MAX = 80;
const REASONS_MAX = 3;
const REASON_MAX = 200;

type Verdict = Brief['verdict'];

export const ACTIONS: Readonly<Record<Brief['recommendedAction'], string>> = {
  block: 'Block it.',
  escalate: 'Escalate it: the evidence is strong and contradicts itself.',
  review: 'Have it reviewed by a person.',
  monitor: 'Monitor it.',
  allow: 'It can be allowed.',
  unverified: 'Treat it as unverified.',
  'not-applicable': "Reputation doesn't apply to it.",
  ignore: 'Ignore it: it says nothing by itself.',
};

type Risk = { readonly score: number; readonly word: string };

/**
 * The subject, its ladder word (O49) and its score. The score is left out beside "unknown", where a reader would take
 * it for a verdict.
 */
export function headlineOf(verdict: Verdict, subject: string, risk: Risk | null | undefined): string {
  const name = shown(subject, SUBJECT_MAX);
  if (!risk) return `There is no verdict on ${name}.`;
  return verdict === 'unknown'
    ? `${name}: ${risk.word}. That is no verdict.`
    : `${name}: ${risk.word} (${risk.score} of 100).`;
}

export const composeSummary = (result: CheckResult): string =>
  `${headlineOf(result.evidence?.verdict ?? 'unknown', result.query ?? '', result.riskScore)} ${composeReasons(result)}`;

/** Composes sentences from the evidence alone; the same evidence gives the same words. */
export function composeReasons(result: CheckResult): string {
  const { evidence } = result;
  return [
    (evidence?.verdict ?? 'unknown') === 'unknown' ? 'Unknown is not clean.' : '',
    listedBy(result),
    result.malwareFamily === undefined ? '' : `Named family: ${shown(result.malwareFamily, NAME_MAX)}.`,
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
  const isAbove = sources.every(
    ({ matchType, threatClass }) => threatClass !== 'threat' || matchType === 'parent',
  );
  const lead = `${count(blocklistHits, 'threat list names', 'threat lists name')} ${isAbove && sources.length > 0 ? 'its host or a domain above it' : 'it'}`;
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
