import type { CheckSeen } from './check-seen.ts';
import { type Facet, lookupOf, partOf, whoOf } from './facet-state.ts';

type Part = 'reputation' | 'sources' | 'whois' | 'geo' | 'certificates' | 'dns' | 'vulnerabilities' | 'otx';

const WORDS: Readonly<Record<Part, string>> = {
  reputation: 'reputation',
  sources: 'lists',
  whois: 'registration',
  geo: 'location',
  certificates: 'certificate',
  dns: 'DNS',
  vulnerabilities: 'vulnerabilities',
  otx: 'community reports',
};
const APPLIES: Readonly<Record<CheckSeen['target']['type'], readonly Part[]>> = {
  ip: ['reputation', 'sources', 'geo', 'whois', 'certificates', 'vulnerabilities', 'otx'],
  domain: ['reputation', 'sources', 'geo', 'whois', 'certificates', 'dns', 'otx'],
  url: ['reputation', 'sources', 'geo', 'whois', 'certificates', 'dns', 'otx'],
  hash: ['reputation', 'sources', 'otx'],
};

const isLocal = (part: Part): part is 'reputation' | 'sources' => part === 'reputation' || part === 'sources';

/** Which parts have arrived and which are missing now. The stream's own `completeness` describes an earlier moment. */
export function completenessOf(seen: CheckSeen): {
  readonly answered: string;
  readonly missing: string | null;
} {
  const parts = APPLIES[seen.target.type];
  const isHere = (part: Part): boolean =>
    isLocal(part) ? seen.reputation !== undefined : partOf(seen, part) !== null;
  const away = parts.filter(
    (part) => !isHere(part) && (isLocal(part) || lookupOf(seen, part) !== 'inapplicable'),
  );
  return {
    answered: `Answered: ${
      parts
        .filter(isHere)
        .map((part) => WORDS[part])
        .join(', ') || 'nothing'
    }.`,
    missing:
      away.length === 0
        ? null
        : `Missing: ${away.map((part) => `${WORDS[part]} (${reasonOf(seen, part as Facet)})`).join(', ')}.`,
  };
}

function reasonOf(seen: CheckSeen, facet: Facet): string {
  const named = [seen.basic, seen.dns, seen.enrichment].some((phase) => phase?.degraded?.includes(facet));
  if (lookupOf(seen, facet) === 'off') return 'not looked up';
  if (named) return `${whoOf(seen, facet)} did not answer`;
  if (seen.done === undefined) return seen.isOver ? 'the check ended before' : 'still awaited';
  return 'nothing is known';
}
