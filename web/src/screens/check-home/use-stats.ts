import { useQuery } from '@tanstack/react-query';
import { assay } from '../../service/client.ts';

/** The service counts every five minutes. */
const AGAIN_MS = 300_000;

export const useStats = () =>
  useQuery({
    queryKey: ['stats'],
    queryFn: ({ signal }) => assay.call('getStats', {}, { signal }),
    refetchInterval: AGAIN_MS,
  });
