import type { PanelState } from '../../../ui/panel.tsx';
import type { CheckSeen } from './check-seen.ts';

/** The parts of an answer that somebody else is asked for. */
export type Facet =
  | 'geo'
  | 'whois'
  | 'certificates'
  | 'vulnerabilities'
  | 'dns'
  | 'otx'
  | 'technologies'
  | 'relatedInfrastructure';

type Words = {
  /** Who is asked. */
  readonly who: string;
  /** What it says when that one knows nothing. */
  readonly nothing: string;
};

export const FACETS: Readonly<Record<Facet, Words>> = {
  geo: { who: 'the table of addresses', nothing: 'The loaded table of addresses does not know it.' },
  whois: { who: 'the registry', nothing: 'The registry told nothing about it.' },
  certificates: { who: 'the certificate logs', nothing: 'No certificate is known for it.' },
  vulnerabilities: {
    who: 'the port search',
    nothing: 'The port search knows nothing of it. That does not say that nothing is open.',
  },
  dns: { who: 'the name servers', nothing: 'The name servers know no such name.' },
  otx: { who: 'the community exchange', nothing: 'No community report about it came.' },
  technologies: { who: 'the host', nothing: 'What runs there is not known.' },
  relatedInfrastructure: { who: 'the record of this service', nothing: 'Nothing related is known.' },
};

const BASIC = ['geo', 'whois', 'certificates', 'vulnerabilities'] as const;
type BasicFacet = (typeof BASIC)[number];
const isBasic = (facet: Facet): facet is BasicFacet => (BASIC as readonly string[]).includes(facet);

/** After so long without a word the reader is told. */
export const SILENT_AFTER_MS = 8_000;

export type FacetValue<F extends Facet> = F extends BasicFacet
  ? NonNullable<NonNullable<CheckSeen['basic']>[F]>
  : F extends 'dns'
    ? NonNullable<CheckSeen['dns']>
    : NonNullable<NonNullable<CheckSeen['enrichment']>[F & keyof NonNullable<CheckSeen['enrichment']>]>;

/** What came of a part, wherever in the stream it stood; null where nothing did. */
export function partOf<F extends Facet>(seen: CheckSeen, facet: F): FacetValue<F> | null {
  return (rawPartOf(seen, facet) ?? null) as FacetValue<F> | null;
}

function rawPartOf({ basic, dns, enrichment }: CheckSeen, facet: Facet): unknown {
  if (isBasic(facet)) return basic?.[facet] ?? enrichment?.late?.[facet];
  if (facet === 'dns') return dns?.nameserverCount === null ? null : dns;
  return enrichment?.[facet];
}

const phaseOf = (facet: Facet): 'basic' | 'dns' | 'enrichment' =>
  isBasic(facet) ? 'basic' : facet === 'dns' ? 'dns' : 'enrichment';

/** What of a stream that is over says that nobody was asked: a registry answers about every address and name. */
export function areLookupsOff(seen: CheckSeen): boolean {
  const { target, basic, enrichment, done, dns } = seen;
  if (done === undefined || target.type === 'hash') return false;
  const named = [basic, dns, enrichment].flatMap((phase) => phase?.degraded ?? []);
  const live = ['whois', 'certificates', 'vulnerabilities', 'otx', 'technologies'] as const;
  return (
    dns === undefined &&
    live.every((facet) => partOf(seen, facet) === null && !named.includes(facet)) &&
    !named.includes('dns')
  );
}

export type StateOptions = {
  readonly isSilent: boolean;
  /** Absent where this part cannot be asked for alone. */
  readonly askAgain?: (() => void) | undefined;
  readonly isSignedIn: boolean;
};

/** Which of the five states one part is in, and the words for it. */
export function facetState(
  seen: CheckSeen,
  facet: Facet,
  { isSilent, askAgain, isSignedIn }: StateOptions,
): PanelState {
  if (partOf(seen, facet) !== null) return { kind: 'ready' };
  const { who, nothing } = FACETS[facet];
  const retry = askAgain !== undefined && isSignedIn ? { retry: askAgain } : {};
  const cost = retryWords(askAgain !== undefined, isSignedIn);
  if (isAwaited(seen, facet))
    return isSilent
      ? { kind: 'degraded', what: `No answer yet from ${who}.${cost}`, ...retry }
      : { kind: 'loading', what: `Asking ${who}.` };
  if (seen[phaseOf(facet)] === undefined && seen.done === undefined)
    return { kind: 'error', what: `The check ended before ${who} answered.${cost}`, ...retry };
  if (isNamed(seen, facet))
    return { kind: 'degraded', what: `${capital(who)} did not answer.${cost}`, ...retry };
  return { kind: 'empty', why: isUnasked(seen, facet) ? NOT_ASKED : nothing };
}

const NOT_ASKED = 'Not asked: live lookups are switched off on this installation.';

/** The record of this service and its table of addresses are here, lookups or not; a name must be resolved first. */
export const isUnasked = (seen: CheckSeen, facet: Facet): boolean =>
  facet !== 'relatedInfrastructure' && !(facet === 'geo' && seen.target.type === 'ip') && areLookupsOff(seen);

/** A part that `basic` left without may still come with `enrichment`. */
const isAwaited = (seen: CheckSeen, facet: Facet): boolean =>
  !seen.isOver &&
  seen.done === undefined &&
  (seen[phaseOf(facet)] === undefined ? !hasPassed(seen, facet) : mayComeLate(seen, facet));

/** Phases come in order; `dns` may be left out. */
const hasPassed = (seen: CheckSeen, facet: Facet): boolean =>
  facet === 'dns' && seen.enrichment !== undefined;

const mayComeLate = (seen: CheckSeen, facet: Facet): boolean =>
  isBasic(facet) && isNamed(seen, facet) && seen.enrichment === undefined;

const isNamed = (seen: CheckSeen, facet: Facet): boolean =>
  seen[phaseOf(facet)]?.degraded?.includes(facet) === true;

function retryWords(canAsk: boolean, isSignedIn: boolean): string {
  if (!canAsk) return '';
  return isSignedIn ? ' Asking for this alone costs one check.' : ' Sign in to ask for this alone.';
}

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
