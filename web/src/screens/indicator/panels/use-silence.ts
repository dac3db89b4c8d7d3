import { useEffect, useState } from 'react';
import type { CheckSeen } from './check-seen.ts';
import { SILENT_AFTER_MS } from './facet-state.ts';

export function useSilence({ startedAtMs, isOver }: CheckSeen): boolean {
  const [silentFor, setSilentFor] = useState<number | null>(null);
  useEffect(() => {
    if (isOver) return;
    const leftMs = Math.max(0, startedAtMs + SILENT_AFTER_MS - Date.now());
    const timer = setTimeout(() => setSilentFor(startedAtMs), leftMs);
    return () => clearTimeout(timer);
  }, [startedAtMs, isOver]);
  return !isOver && silentFor === startedAtMs;
}
