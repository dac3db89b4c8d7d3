import { defang, parseIndicator } from '@assay/server/indicator';
import { bundleOf, type StixSubject, toStixIndicator } from '@assay/server/stix';
import { shellQuoted } from '../../words/shell-quoted.ts';
import { assembleResult } from './assemble.ts';
import { type CheckState, shownPhases } from './check-state.ts';
import type { CopyForm } from './copy-list.ts';
import { ticketOf } from './ticket.ts';
import { judgedOf } from './verdict-view.ts';

type Reputation = NonNullable<ReturnType<typeof shownPhases>['reputation']>;
export type Whereabouts = { readonly permalink: string; readonly apiUrl: string };

/** The text of a form; null where it needs a verdict and none has arrived. */
export function formOf(
  form: CopyForm,
  state: CheckState,
  at: Whereabouts,
  bundleUuid: string,
): string | null {
  const { value } = state.target;
  switch (form) {
    case 'ticket':
      return ticketOf(state, defanged(value), at.permalink);
    case 'raw':
      return value;
    case 'defanged':
      return defanged(value);
    case 'json':
      return JSON.stringify(assembleResult(state), null, 2);
    case 'stix':
      return stixOf(state, bundleUuid);
    case 'curl':
      return curlOf(value, at.apiUrl);
    case 'link':
      return at.permalink;
  }
}

function defanged(value: string): string {
  const parsed = parseIndicator(value);
  return parsed.ok ? defang(parsed.indicator) : value;
}

/** The command reads the key from the shell's `$ASSAY_KEY`, so that it is never copied. */
export const curlOf = (value: string, apiUrl: string): string =>
  [
    `curl -sG ${shellQuoted(`${apiUrl.replace(/\/+$/, '')}/check`)}`,
    `-H "X-API-KEY: $ASSAY_KEY"`,
    `--data-urlencode ${shellQuoted(`query=${value}`)}`,
    '-d enrichment=full',
  ].join(' ');

function stixOf(state: CheckState, bundleUuid: string): string | null {
  const judged = judgedOf(shownPhases(state));
  const subject = stixSubject(state.target.value);
  const { reputation, insights } = shownPhases(state);
  if (judged === null || subject === null || reputation === undefined) return null;
  const { evidence, riskScore, confidence } = judged;
  const observedMs = Date.parse(evidence.observedAt);
  const firstSeenMs = timeOf(insights?.dataTrust.firstSeen);
  const indicator = toStixIndicator(subject, {
    verdict: evidence.verdict,
    score: riskScore.score,
    confidence: confidence.score,
    labels: reputation.sources.flatMap(({ categories }) => categories),
    sources: reputation.blocklistHits,
    firstSeenMs,
    lastSeenMs: timeOf(insights?.dataTrust.lastSeen),
    createdMs: observedMs,
    validFromMs: firstSeenMs ?? dataMs(reputation) ?? observedMs,
  });
  return JSON.stringify(bundleOf([indicator], bundleUuid), null, 2);
}

/** The oldest date of the data of the accusing lists, which is what STIX gets where none of them dates its entry (O69). */
function dataMs({ listings, sources }: Reputation): number | null {
  const accusers = new Set(sources.filter(({ threatClass }) => threatClass === 'threat').map(({ id }) => id));
  // Older services send no listings.
  const dates = (listings ?? []).flatMap(({ sourceId, stillListedOn }) =>
    accusers.has(sourceId) ? (timeOf(stillListedOn) ?? []) : [],
  );
  return dates.length === 0 ? null : Math.min(...dates);
}

function stixSubject(value: string): StixSubject | null {
  const parsed = parseIndicator(value);
  if (!parsed.ok || parsed.indicator.kind === 'cidr' || parsed.indicator.kind === 'email') return null;
  return parsed.indicator;
}

const timeOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Date.parse(text);

/** A bundle's id is arbitrary. `crypto.randomUUID` is missing on plain HTTP pages. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
