/** One attempt to get out: the way, where to, and what came of it (`reached`, or the reason it was refused). */
export type Try = {
  readonly way: 'fetch' | 'exchange' | 'handshake' | 'referral';
  readonly target: string;
  readonly outcome: string;
};

export type EgressReport = {
  readonly tries: readonly Try[];
  readonly controls: readonly Try[];
  /** Packets by range, and `elsewhere` and `peers`. */
  readonly afterCorpus: Readonly<Record<string, number>>;
  readonly afterControl: Readonly<Record<string, number>>;
  readonly afterSamples: Readonly<Record<string, number>>;
  readonly refusedByKernel: readonly string[];
};
