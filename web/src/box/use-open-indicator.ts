import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { permalinkOf, type Target } from './permalink.ts';

type Way = 'push' | 'replace';

export function useOpenIndicator(): (target: Target, way?: Way) => void {
  const router = useRouter();
  return useCallback(
    (target, way = 'push') => router.history[way](router.basepath + permalinkOf(target)),
    [router],
  );
}
