import { OutboundError } from '#platform/outbound.ts';
import { classifyFailure } from './frame/classify-failure.ts';
import { ProviderFailure } from './provider.ts';

/**
 * For providers that talk to the very host asked about: whatever goes wrong there is that host's own, and says nothing
 * of the next one. Only being called off stays what it was.
 */
export function targetFailure(error: unknown): unknown {
  if (!(error instanceof OutboundError) || error.reason === 'aborted') return error;
  const isRefused = classifyFailure(error).kind === 'refused';
  return new ProviderFailure(isRefused ? 'refused' : 'target', error.message, error);
}
