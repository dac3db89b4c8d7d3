import { OutboundError, type OutboundReason } from '#platform/outbound.ts';
import { type FailureKind, ProviderFailure } from '../provider.ts';

/** What our own guard said before anything was asked; everything else happened on the way to the upstream or at it. */
const REFUSED: ReadonlySet<OutboundReason> = new Set([
  'invalid_url',
  'scheme',
  'port',
  'userinfo',
  'address',
]);

export type Failure = {
  readonly kind: FailureKind;
  readonly isLate: boolean;
  /** Neither of the two errors a provider throws: a mistake in our own code. */
  readonly isDefect: boolean;
};

/** Whose fault it was. A provider that knows better says so with a `ProviderFailure`. */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof ProviderFailure) return { kind: error.kind, isLate: false, isDefect: false };
  if (!(error instanceof OutboundError)) return { kind: 'upstream', isLate: false, isDefect: true };
  return {
    kind: REFUSED.has(error.reason) ? 'refused' : 'upstream',
    isLate: error.reason === 'deadline',
    isDefect: false,
  };
}
