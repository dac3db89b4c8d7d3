import { exact } from '../../words/numbers.ts';
import { absoluteTime, ageOf } from '../../words/time.ts';
import { accusersOf, reasonsOf } from './causes.ts';
import { type CheckState, shownPhases } from './check-state.ts';
import { countWords, type Headline, headlineOf } from './headline.ts';
import { identityParts, typeWords } from './identity.ts';
import { judgedOf, verdictView } from './verdict-view.ts';

const SOURCES_TOLD_MAX = 5;
const REPORTS_TOLD_MAX = 2;

/**
 * Six to eight lines for a ticket: verdict, what it is, reasons, dates, action, sources, reports, and when it was checked
 * with a link. Dates and reports are left out where there are none. The value is defanged, because ticket systems turn
 * text into links.
 */
export function ticketOf(state: CheckState, defanged: string, permalink: string): string {
  const view = verdictView(state);
  const headline = headlineOf(shownPhases(state));
  const score = view.risk === null ? 'no score' : `risk ${view.risk} of 100`;
  const { confidence } = view;
  const sure = confidence === null ? '' : `, confidence ${confidence.score} (${confidence.level})`;
  const provisional = view.isProvisional ? ' PROVISIONAL, the check had not finished.' : '';
  const reports = reportsOf(state);
  return [
    `${defanged} (${typeWords(state.target)}): ${view.word}, ${score}${sure}.${provisional}`,
    `What: ${whatLine(state, headline)}`,
    `Why: ${whyLine(state)}`,
    ...(headline.since === null ? [] : [`When: ${headline.since}`]),
    `Do: ${headline.action ?? 'wait for the check to finish.'}`,
    `Sources: ${sourcesLine(state)}`,
    ...(reports.length === 0 ? [] : [`Reports: ${reports.join(' ')}`]),
    `Checked ${checkedAt(state)} with Assay: ${permalink}`,
  ]
    .map(oneLine)
    .join('\n');
}

function whatLine(state: CheckState, { name, about }: Headline): string {
  const [, ...where] = identityParts(state.target, shownPhases(state)).map(({ text }) => text);
  const is = [...(name === null ? [] : [name.text]), ...about].join(', ');
  const told = [is, where.join(', ')].filter((part) => part !== '').join('; ');
  return told === '' ? 'nothing more is known of it.' : `${told}.`;
}

function whyLine(state: CheckState): string {
  const { causes, notes, contradictions } = reasonsOf(shownPhases(state));
  const told = [
    ...causes.map(({ sentence }) => sentence),
    ...notes,
    ...contradictions.map(({ title, description }) => `${title}: ${description}`),
  ];
  return told.join(' ') || 'no reason was given.';
}

function sourcesLine(state: CheckState): string {
  const phases = shownPhases(state);
  const { reputation, insights } = phases;
  if (reputation === undefined) return 'none has answered yet.';
  const names = accusersOf(phases).map(({ name }) => name);
  const { coverage } = reputation;
  const of = coverage === undefined ? '' : ` of ${exact(coverage.sources)} that cover this kind`;
  const hours = insights?.dataTrust.dataAgeHours ?? judgedOf(phases)?.evidence.dataAgeHours;
  const age = hours === null || hours === undefined ? 'age of the data unknown' : `data ${ageOf(hours)}`;
  if (names.length === 0) return `none${of} lists it, which is not a clean bill (${age}).`;
  const more = names.length - SOURCES_TOLD_MAX;
  const told = names.slice(0, SOURCES_TOLD_MAX).join(', ') + (more > 0 ? ` and ${exact(more)} more` : '');
  return `${countWords(names.length, reputation.verdict?.independentSources)}${of} (${age}): ${told}.`;
}

/** Web addresses of the publishers' reports. They are not ours, so anything but a plain http(s) address is left out. */
const reportsOf = (state: CheckState): readonly string[] =>
  [...new Set(accusersOf(shownPhases(state)).flatMap(({ reference }) => reference ?? []))]
    .filter((url) => /^https?:\/\/[^\s<>"]+$/i.test(url))
    .slice(0, REPORTS_TOLD_MAX);

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
