import {
  type Domain,
  type Hash,
  type Indicator,
  type Ip,
  isBogon,
  type Url,
} from '#domain/indicator/index.ts';
import type { FacetName, LiveContext } from './live-context.ts';
import type { Lookup, Outcome } from './outcome.ts';
import type { CheckedName, Providers } from './providers.ts';
import { siteOf } from './site-of.ts';

/** What a check is about: the subject, and the host it names; null for a hash. */
type About = {
  readonly subject: Ip | Domain | Url | Hash;
  readonly host: Ip | Domain | null;
  readonly isWhole: boolean;
};

type KeyOf<N extends CheckedName> = Providers[N] extends Lookup<infer K, unknown> ? K : never;
/** The facet with the type of this provider's answers. `tls` and `ct` are joined into one facet, `certificates`. */
type FacetFor<N extends CheckedName> = N extends 'tls' | 'ct'
  ? 'certificates'
  : {
      [F in FacetName]: Awaited<ReturnType<Providers[N]['ask']>> extends LiveContext[F] ? F : never;
    }[FacetName];

type Row<N extends CheckedName> = {
  readonly facet: FacetFor<N>;
  /**
   * The lowest level that uses the provider (contract 2.1 rule 1). `basic`: shown if cached, else looked up in the
   * background. `standard`: looked up from there on; `basic` shows it if cached. `full`: not used at lower levels.
   */
  readonly level: 'basic' | 'standard' | 'full';
  /** What the provider is asked about the subject; undefined: the provider does not apply. */
  readonly question: (about: About) => KeyOf<N> | undefined;
  /** The name that selects the slot of its answers in Redis Cluster. */
  readonly site: (key: KeyOf<N>) => string;
};

/** Each provider that a check may ask, in the order of the facets. */
export const CHECKED: { readonly [N in CheckedName]: Row<N> } = {
  addresses: { facet: 'addresses', level: 'basic', question: domainOf, site: siteOf },
  dns: { facet: 'dns', level: 'full', question: domainOf, site: siteOf },
  rdap: { facet: 'whois', level: 'basic', question: registeredOf, site: siteOf },
  tls: { facet: 'certificates', level: 'basic', question: hostOf, site: siteOf },
  ct: { facet: 'certificates', level: 'basic', question: domainOf, site: siteOf },
  internetdb: { facet: 'vulnerabilities', level: 'basic', question: addressOf, site: siteOf },
  otx: {
    facet: 'otx',
    level: 'standard',
    question: ({ subject, isWhole }) => ({ indicator: subject, isWhole }),
    site: ({ indicator }) => siteOf(indicator),
  },
  scanner: {
    facet: 'scanner',
    level: 'basic',
    question: ({ subject }) => (subject.kind === 'hash' ? undefined : subject),
    site: siteOf,
  },
  web: { facet: 'technologies', level: 'full', question: hostOf, site: siteOf },
};

export const CHECKED_NAMES = Object.keys(CHECKED) as readonly CheckedName[];
const FACET_NAMES: readonly FacetName[] = [...new Set(CHECKED_NAMES.map((name) => CHECKED[name].facet))];

/** A context in which every facet has this outcome. */
export const everyFacet = (outcome: Outcome<never>): LiveContext =>
  Object.fromEntries(FACET_NAMES.map((facet) => [facet, outcome])) as LiveContext;

/** The question for each provider about one subject; a provider without a question does not apply. */
export type Questions = { readonly [N in CheckedName]?: KeyOf<N> };

export function questionsOf(subject: Indicator, level: 'standard' | 'full'): Questions {
  const isWhole = level === 'full';
  const about = aboutOf(subject, isWhole);
  const questions: { -readonly [N in CheckedName]?: unknown } = {};
  if (about !== null)
    for (const name of CHECKED_NAMES) {
      const row = CHECKED[name];
      const key = isWhole || row.level !== 'full' ? row.question(about) : undefined;
      if (key !== undefined) questions[name] = key;
    }
  return questions as Questions;
}

/** Null: no provider is asked. A non-public address, for example, names another host in each network. */
function aboutOf(subject: Indicator, isWhole: boolean): About | null {
  switch (subject.kind) {
    case 'ip':
    case 'domain':
      return isPrivate(subject) ? null : { subject, host: subject, isWhole };
    case 'url':
      return isPrivate(subject.host) ? null : { subject, host: subject.host, isWhole };
    case 'hash':
      return { subject, host: null, isWhole };
    default:
      return null;
  }
}

const isPrivate = (host: Ip | Domain): boolean => host.kind === 'ip' && isBogon(host);

function hostOf({ host }: About): Ip | Domain | undefined {
  return host ?? undefined;
}

function domainOf({ host }: About): Domain | undefined {
  return host?.kind === 'domain' ? host : undefined;
}

function addressOf({ host }: About): Ip | undefined {
  return host?.kind === 'ip' ? host : undefined;
}

/** A registry knows registered names, not the hosts below them, and a public suffix has no registrant. */
function registeredOf({ host }: About): Ip | Domain | undefined {
  if (host?.kind !== 'domain') return host ?? undefined;
  const { registrable } = host;
  return registrable === null ? undefined : { kind: 'domain', value: registrable, registrable };
}
