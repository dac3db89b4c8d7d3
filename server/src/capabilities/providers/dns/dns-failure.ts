import { DnsError } from '#platform/dns.ts';
import { type Ask, type FailureKind, ProviderFailure } from '../provider.ts';

/** All DNS queries go to one upstream, the resolver. */
export const RESOLVER = 'resolver';

/**
 * Assigns the failure. Broken, slow or malformed answers of a zone are failures of the target; otherwise the
 * owner of a zone could open the breaker of our resolver for all callers.
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

/**
 * Slightly shorter than the frame's deadline, so that a slow zone is classified before the frame blames the resolver.
 */
export const within = ({ signal, deadlineMs }: Ask): Ask => ({ signal, deadlineMs: deadlineMs * 0.85 });
