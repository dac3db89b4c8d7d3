import type { Indicator } from '#domain/indicator/index.ts';
import type { Certificates, Technologies, Vulnerabilities, Whois } from './contract-hosts.ts';
import type { Addresses, DnsFacts } from './contract-names.ts';
import type { Otx, ScannerVerdict } from './contract-opinions.ts';
import type { Outcome } from './outcome.ts';
import type { Questions } from './questions.ts';

/** What is asked of whom about one subject, and what came of it. What does not apply is `missing: inapplicable`. */
export type LiveContext = {
  readonly addresses: Outcome<Addresses>;
  readonly dns: Outcome<DnsFacts>;
  readonly whois: Outcome<Whois>;
  /** The host's own certificate joined with the logs' (G15). */
  readonly certificates: Outcome<Certificates>;
  readonly vulnerabilities: Outcome<Vulnerabilities>;
  readonly otx: Outcome<Otx>;
  readonly scanner: Outcome<ScannerVerdict>;
  readonly technologies: Outcome<Technologies>;
};
export type FacetName = keyof LiveContext;

export type GatherOptions = {
  /** `standard`: what contract 2.1 rule 1 names for it. `full`: dns, technologies and the whole community block too. */
  readonly level: 'standard' | 'full';
  /** Nobody but these is asked; the rest is `missing: inapplicable`. Absent: everybody who applies. */
  readonly only?: readonly (keyof Questions)[];
  /** When it is over, what has not come is `missing: deadline`. */
  readonly budgetMs: number;
  readonly signal?: AbortSignal;
  /** Each facet as it lands, once. */
  readonly onFacet?: <F extends FacetName>(facet: F, outcome: LiveContext[F]) => void;
};

export type LiveContexts = {
  /** False: nobody can be asked; a check is then answered without a turn of the loop. */
  readonly isOn: boolean;
  /** Never rejects, never takes longer than the budget. */
  readonly gather: (subject: Indicator, options: GatherOptions) => Promise<LiveContext>;
  /** What is remembered, asking nobody; whatever is not is asked for behind the caller's back when there is room. */
  readonly remembered: (subject: Indicator) => Promise<LiveContext>;
};
