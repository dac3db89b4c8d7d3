import { DnsError } from '#platform/dns.ts';
import { type Ask, type FailureKind, ProviderFailure } from '../provider.ts';

/** All of DNS is asked of one: the resolver. */
export const RESOLVER = 'resolver';

/**
 * Whose fault it is. What a zone's owner can bring about (broken, slow or malformed answers) is the target's: else a
 * stranger's zone could open the breaker of our resolver for everybody.
 */
const KINDS: Readonly<Record<DnsError['kind'], FailureKind>> = {
  servfail: 'target',
  slow: 'target',
  garbage: 'target',
  timeout: 'upstream',
  refused: 'upstream',
  aborted: 'upstream',
  name: 'refused',
};

export const asProviderFailure = (error: unknown): unknown =>
  error instanceof DnsError ? new ProviderFailure(KINDS[error.kind], error.message, error) : error;

/** A little less than the frame gives: whose fault a silence is must be said before the frame calls it the resolver's. */
export const within = ({ signal, deadlineMs }: Ask): Ask => ({ signal, deadlineMs: deadlineMs * 0.85 });
