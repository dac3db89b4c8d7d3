import type { PanelState } from '../../../ui/panel.tsx';
import type { CheckSeen, ReputationSeen } from './check-seen.ts';

export type Facet =
  | 'geo'
  | 'whois'
  | 'certificates'
  | 'vulnerabilities'
  | 'dns'
  | 'otx'
  | 'technologies'
  | 'relatedInfrastructure';

type Provider = NonNullable<ReputationSeen['lookups']>['asked'][number];

type Words = {
  readonly who: string;
  readonly nothing: string;
  /** The live lookups that fill it; absent: local data alone. */
  readonly providers?: readonly Provider[];
};

export const FACETS: Readonly<Record<Facet, Words>> = {
  // The location of an address is local; that of a name needs its addresses.
  geo: {
    who: 'the table of addresses',
    nothing: 'The loaded table of addresses does not know it.',
    providers: ['dns'],
  },
  whois: { who: 'the registry', nothing: 'The registry has no data about it.', providers: ['rdap'] },
  certificates: {
    who: 'the certificate logs',
    nothing: 'No certificate is known for it.',
    providers: ['tls', 'ct'],
  },
  vulnerabilities: {
    who: 'the port search',
    nothing: 'No port scan data for this address. Ports may still be open.',
    providers: ['internetdb'],
  },
  dns: { who: 'the name servers', nothing: 'The name servers know no such name.', providers: ['dns'] },
  otx: { who: 'the community exchange', nothing: 'No community report mentions it.', providers: ['otx'] },
  technologies: { who: 'the host', nothing: 'No technology is known to run there.', providers: ['web'] },
  relatedInfrastructure: { who: 'the record of this service', nothing: 'Nothing related is known.' },
};

const BASIC = ['geo', 'whois', 'certificates', 'vulnerabilities'] as const;
type BasicFacet = (typeof BASIC)[number];
const isBasic = (facet: Facet): facet is BasicFacet => (BASIC as readonly string[]).includes(facet);

/** After this time the reader is told that there is no answer yet. */
export const SILENT_AFTER_MS = 8_000;

export type FacetValue<F extends Facet> = F extends BasicFacet
  ? NonNullable<NonNullable<CheckSeen['basic']>[F]>
  : F extends 'dns'
    ? NonNullable<CheckSeen['dns']>
    : NonNullable<NonNullable<CheckSeen['enrichment']>[F & keyof NonNullable<CheckSeen['enrichment']>]>;

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

/** Who is asked for a facet. A certificate comes from the host, from the logs, or from both. */
export function whoOf({ reputation }: CheckSeen, facet: Facet): string {
  const asked = reputation?.lookups?.asked ?? [];
  if (facet !== 'certificates' || !asked.includes('tls')) return FACETS[facet].who;
  return asked.includes('ct') ? 'the host and the certificate logs' : 'the host';
}

/** `off`: the service makes no such lookup. `inapplicable`: none covers this value, such as a private address. */
type Lookup = 'local' | 'asked' | 'off' | 'inapplicable';

/** How a check gets a facet, known from its first phase on. An older service shows it only at the end. */
export function lookupOf(seen: CheckSeen, facet: Facet): Lookup {
  const { providers } = FACETS[facet];
  const { target, reputation } = seen;
  if (providers === undefined || (facet === 'geo' && target.type === 'ip')) return 'local';
  const plan = reputation?.lookups;
  if (plan === undefined) return areLookupsOff(seen) ? 'off' : 'asked';
  if (providers.some((provider) => plan.asked.includes(provider))) return 'asked';
  if (providers.some((provider) => plan.off.includes(provider))) return 'off';
  // The host of a URL may be an address, whose location is local.
  return facet === 'geo' ? 'local' : 'inapplicable';
}

/**
 * True when a finished check shows that live lookups are off. A registry answers for every address and name, so a check
 * without its answer and without its failure did not ask it.
 */
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
  /** Requests the facet alone; absent for a facet without a route of its own. */
  readonly askAgain?: (() => void) | undefined;
  readonly isSignedIn: boolean;
};

export function facetState(
  seen: CheckSeen,
  facet: Facet,
  { isSilent, askAgain, isSignedIn }: StateOptions,
): PanelState {
  if (partOf(seen, facet) !== null) return { kind: 'ready' };
  const lookup = lookupOf(seen, facet);
  if (lookup === 'off') return { kind: 'empty', why: TURNED_OFF };
  if (lookup === 'inapplicable') return { kind: 'empty', why: NOT_COVERED };
  const { nothing } = FACETS[facet];
  const who = whoOf(seen, facet);
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
  return { kind: 'empty', why: nothing };
}

const TURNED_OFF = 'Not looked up: this live lookup is turned off on this server.';
const NOT_COVERED = 'Not looked up: this lookup does not cover the value.';

/** True while a facet may still arrive; one that was too late for the phase `basic` may arrive with `enrichment`. */
const isAwaited = (seen: CheckSeen, facet: Facet): boolean =>
  !seen.isOver &&
  seen.done === undefined &&
  (seen[phaseOf(facet)] === undefined ? !hasPassed(seen, facet) : mayComeLate(seen, facet));

/** Phases arrive in order, and `dns` may be left out: once `enrichment` is here, it will not come. */
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
