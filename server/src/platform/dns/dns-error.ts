/**
 * `servfail`: the zone is broken, or the resolver will not answer for it. `slow`: the resolver is alive but got no
 * reply from the zone in time. `timeout`: the resolver is silent. `refused`: the resolver does not serve us.
 * `garbage`: the reply is not a DNS message. `name`: this name is never queried. `aborted`: the caller cancelled.
 */
export type DnsFailure = 'servfail' | 'slow' | 'timeout' | 'refused' | 'garbage' | 'name' | 'aborted';

/** A query without an answer. An empty result is an answer (`absent`) and not an error. */
export class DnsError extends Error {
  readonly kind: DnsFailure;

  constructor(kind: DnsFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DnsError';
    this.kind = kind;
  }
}
