import { exact, plural } from '../../words/numbers.ts';
import { absoluteTime, ageOf } from '../../words/time.ts';
import { type CheckState, type Phases, shownPhases } from './check-state.ts';
import { typeWords } from './identity.ts';
import { judgedOf, verdictView } from './verdict-view.ts';

const SOURCES_TOLD_MAX = 5;

/**
 * Six lines for a ticket: verdict, reasons, context, action, sources, and when it was checked with a link. The value is
 * defanged, because ticket systems turn text into links.
 */
export function ticketOf(state: CheckState, defanged: string, permalink: string): string {
  const view = verdictView(state);
  const score = view.risk === null ? 'no score' : `risk ${view.risk} of 100`;
  const { confidence } = view;
  const sure = confidence === null ? '' : `, confidence ${confidence.score} (${confidence.level})`;
  const provisional = view.isProvisional ? ' PROVISIONAL, the check had not finished.' : '';
  const context = view.context?.names.join(', ') ?? '';
  return [
    `${defanged} (${typeWords(state.target)}): ${view.word}, ${score}${sure}.${provisional}`,
    `Why: ${view.reasons.join(' ') || 'no reason was given.'}`,
    `Context: ${context === '' ? 'nothing is known of what it is.' : `${context}; describes it, does not raise the score.`}`,
    `Do: ${view.action ?? 'wait for the check to finish.'}`,
    `Sources: ${sourcesLine(state)}`,
    `Checked ${checkedAt(state)} with Assay: ${permalink}`,
  ]
    .map(oneLine)
    .join('\n');
}

function sourcesLine(state: CheckState): string {
  const phases = shownPhases(state);
  const { reputation, insights } = phases;
  if (reputation === undefined) return 'none has answered yet.';
  const names = accusersOf(phases);
  const { coverage } = reputation;
  const of = coverage === undefined ? '' : ` of ${exact(coverage.sources)} that cover this kind`;
  const hours = insights?.dataTrust.dataAgeHours ?? judgedOf(phases)?.evidence.dataAgeHours;
  const age = hours === null || hours === undefined ? 'age of the data unknown' : `data ${ageOf(hours)}`;
  if (names.length === 0) return `none${of} lists it, which is not a clean bill (${age}).`;
  const more = names.length - SOURCES_TOLD_MAX;
  const told = names.slice(0, SOURCES_TOLD_MAX).join(', ') + (more > 0 ? ` and ${exact(more)} more` : '');
  return `${plural(names.length, 'list')}${of} (${age}): ${told}.`;
}

function accusersOf(phases: Phases): readonly string[] {
  const points = new Map(
    judgedOf(phases)?.riskScore.factors.map(({ name, contribution }) => [name, contribution]),
  );
  return (phases.reputation?.sources ?? [])
    .filter(({ threatClass }) => threatClass === 'threat')
    .toSorted((a, b) => (points.get(b.id) ?? 0) - (points.get(a.id) ?? 0))
    .map(({ name }) => name);
}

/** The service's observation time, or the start of the check before one has arrived. */
function checkedAt(state: CheckState): string {
  const observed = judgedOf(shownPhases(state))?.evidence.observedAt;
  return absoluteTime(observed === undefined ? state.startedMs : Date.parse(observed), 'utc');
}

/** Source names are third-party text: line breaks and invisible characters are removed. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
