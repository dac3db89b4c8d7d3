import { OutboundError, type OutboundReason } from '#platform/outbound.ts';
import { type FailureKind, ProviderFailure } from '../provider.ts';

/** Refused by our own guard before any request; all other errors come from the upstream or the way to it. */
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
  /** Not an error that a provider is meant to throw, so a defect in our own code. */
  readonly isDefect: boolean;
};

/** Decides whose failure it was. A provider overrides it with a `ProviderFailure`. */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof ProviderFailure) return { kind: error.kind, isLate: false, isDefect: false };
  if (!(error instanceof OutboundError)) return { kind: 'upstream', isLate: false, isDefect: true };
  return {
    kind: REFUSED.has(error.reason) ? 'refused' : 'upstream',
    isLate: error.reason === 'deadline',
    isDefect: false,
  };
}
