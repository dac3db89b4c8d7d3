import { AssayError, Forbidden, InvalidRequest, Unauthorized } from '@assay/sdk';
import { describeFailure, type Failure } from '../../service/failure.ts';

/**
 * A failed sign-in in words. It does not say which half of the pair was wrong, because the service does not reveal it.
 */
export function keyPairFailure(error: unknown, nowMs: number): Failure {
  const failure = describeFailure(error, nowMs);
  if (error instanceof Unauthorized || error instanceof InvalidRequest)
    return {
      ...failure,
      title: 'This key pair is not valid',
      detail: 'Check that both halves are whole and belong together, and that the key was not revoked.',
    };
  if (error instanceof Forbidden) return { ...failure, title: 'Signing in is not allowed from here' };
  if (failure.kind === 'limited')
    return {
      ...failure,
      title: 'Too many attempts from this network',
      detail: 'Wait for the time below, then try once more with the right pair.',
    };
  if (error instanceof AssayError && error.status === 404)
    return {
      ...failure,
      title: 'This service has no sign-in',
      detail: 'It is older than this page. Ask its operator to update both.',
    };
  return failure;
}
