import { useState } from 'react';
import { describeFailure, type Failure } from './failure.ts';

/** Sends one change at a time and keeps its failure in words. */
export function useSending(words: (error: unknown, nowMs: number) => Failure = describeFailure) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (change: () => Promise<void>): Promise<void> => {
    if (isSending) return;
    setFailure(null);
    setSending(true);
    try {
      await change();
    } catch (error) {
      setFailure(words(error, Date.now()));
    } finally {
      setSending(false);
    }
  };
  return { failure, isSending, send };
}
