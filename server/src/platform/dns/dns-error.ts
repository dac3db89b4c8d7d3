/**
 * `servfail`: the zone is broken, or the resolver will not answer for it. `slow`: the resolver is alive, and got no word
 * from the zone in time. `timeout`: the resolver is silent. `refused`: it does not serve us. `garbage`: what came is no
 * DNS. `name`: not a name that is asked about. `aborted`: the caller has gone.
 */
export type DnsFailure = 'servfail' | 'slow' | 'timeout' | 'refused' | 'garbage' | 'name' | 'aborted';

/** Why a question has no answer. That there is nothing is an answer (`absent`), never an error. */
export class DnsError extends Error {
  readonly kind: DnsFailure;

  constructor(kind: DnsFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DnsError';
    this.kind = kind;
  }
}
