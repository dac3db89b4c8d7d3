import type { Indicator } from '#domain/indicator/index.ts';
import type { LiveName } from '#platform/config-live.ts';
import type { Certificates, Technologies, Vulnerabilities, Whois } from './contract-hosts.ts';
import type { Addresses, DnsFacts } from './contract-names.ts';
import type { Otx, ScannerVerdict } from './contract-opinions.ts';
import type { Outcome } from './outcome.ts';
import type { CheckedName } from './providers.ts';

/** The outcome of each lookup about one subject. A lookup that does not apply is `missing: inapplicable`. */
export type LiveContext = {
  readonly addresses: Outcome<Addresses>;
  readonly dns: Outcome<DnsFacts>;
  readonly whois: Outcome<Whois>;
  /** The certificate of the host, joined with the logs (G15). */
  readonly certificates: Outcome<Certificates>;
  readonly vulnerabilities: Outcome<Vulnerabilities>;
  readonly otx: Outcome<Otx>;
  readonly scanner: Outcome<ScannerVerdict>;
  readonly technologies: Outcome<Technologies>;
};
export type FacetName = keyof LiveContext;

export type GatherOptions = {
  /**
   * `standard`: the facets that contract 2.1 rule 1 names for it. `full`: also dns, technologies and the
   * whole community block.
   */
  readonly level: 'standard' | 'full';
  /** Only these providers are asked; the rest is `missing: inapplicable`. Absent: all that apply. */
  readonly only?: readonly CheckedName[];
  /** When it is over, what has not come is `missing: deadline`. */
  readonly budgetMs: number;
  readonly signal?: AbortSignal;
  readonly onFacet?: <F extends FacetName>(facet: F, outcome: LiveContext[F]) => void;
};

/** The providers that cover one subject, by their names in LIVE_PROVIDERS. */
export type LookupPlan = {
  readonly asked: readonly LiveName[];
  /** Switched off, or without the key or address that they need. */
  readonly off: readonly LiveName[];
};

export type LiveContexts = {
  /** False: no lookup is enabled, and a check is answered synchronously. */
  readonly isOn: boolean;
  /** Which providers a check at `full` asks about the subject. */
  readonly plan: (subject: Indicator) => LookupPlan;
  /** Never rejects, never takes longer than the budget. */
  readonly gather: (subject: Indicator, options: GatherOptions) => Promise<LiveContext>;
  /** Reads caches only; missing answers are looked up in the background when there is room. */
  readonly remembered: (subject: Indicator) => Promise<LiveContext>;
};
