/** One outbound attempt: the way out, the target and the result (`reached`, or the reason of the refusal). */
export type Try = {
  readonly way: 'fetch' | 'exchange' | 'handshake' | 'referral' | 'written' | 'webhook';
  readonly target: string;
  readonly outcome: string;
};

export type EgressReport = {
  readonly tries: readonly Try[];
  readonly controls: readonly Try[];
  readonly afterCorpus: Readonly<Record<string, number>>;
  readonly afterControl: Readonly<Record<string, number>>;
  readonly afterSamples: Readonly<Record<string, number>>;
  readonly refusedByKernel: readonly string[];
};
