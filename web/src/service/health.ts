import type { Health } from '@assay/sdk';
import { AssayError } from '@assay/sdk';
import { useQuery } from '@tanstack/react-query';
import { assay } from './client.ts';

export type HealthSeen = Health | 'unreachable';
const ASK_AGAIN_MS = 15_000;

/** A degraded service answers 503 with the same body, which is read like a 200. */
export const useHealth = (): HealthSeen | undefined =>
  useQuery({
    queryKey: ['health'],
    queryFn: async ({ signal }): Promise<HealthSeen> => {
      try {
        return await assay.call('getHealth', {}, { signal });
      } catch (error) {
        if (error instanceof AssayError && 'services' in error.body) return error.body as unknown as Health;
        return 'unreachable';
      }
    },
    refetchInterval: ASK_AGAIN_MS,
    staleTime: 0,
  }).data;
