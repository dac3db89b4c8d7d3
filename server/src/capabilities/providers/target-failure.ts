import { OutboundError } from '#platform/outbound.ts';
import { classifyFailure } from './frame/classify-failure.ts';
import { ProviderFailure } from './provider.ts';

/**
 * For providers that connect to the target itself: any error there is a failure of that host and says nothing
 * about the next one. Only a cancellation is passed on unchanged.
 */
export function targetFailure(error: unknown): unknown {
  if (!(error instanceof OutboundError) || error.reason === 'aborted') return error;
  const isRefused = classifyFailure(error).kind === 'refused';
  return new ProviderFailure(isRefused ? 'refused' : 'target', error.message, error);
}
