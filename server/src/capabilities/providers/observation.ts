export const RELATIONS = ['resolves', 'nameserver', 'registrar', 'certificate'] as const;
export type Relation = (typeof RELATIONS)[number];

/**
 * `resolves`: pivot is an address, subject a name. `nameserver`: pivot is the name server. `registrar`: pivot is its
 * name in lower case. `certificate`: pivot is the SHA-256 fingerprint. Subject is always a domain or an address.
 */
export type Observation = {
  readonly relation: Relation;
  readonly pivot: string;
  readonly subject: string;
  /** A, AAAA …; '' where it does not apply. */
  readonly recordType: string;
};

export type Observed = {
  readonly subject: string;
  readonly pivot: string;
  readonly recordType: string;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
};
/** `total` is the exact count up to 100,000; `rows` has the newest ones up to the limit. */
export type ObservedPage = { readonly rows: readonly Observed[]; readonly total: number };

/** Relations seen by lookups: our own passive DNS, and the pivots of related infrastructure. Holds no account. */
export type Observations = {
  /** Buffered and written in batches; a node that crashes loses a few seconds of data that can be observed again. */
  readonly record: (observations: readonly Observation[]) => void;
  readonly byPivot: (relation: Relation, pivot: string, limit: number) => Promise<ObservedPage>;
  readonly bySubject: (relation: Relation, subject: string, limit: number) => Promise<ObservedPage>;
  readonly close: () => Promise<void>;
};
