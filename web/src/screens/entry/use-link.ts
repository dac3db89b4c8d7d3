import { useState } from 'react';
import type { Failure } from '../../service/failure.ts';
import { useSending } from '../../service/use-sending.ts';
import { isLinkEnded } from './entry-words.ts';
import { useLinkToken } from './use-link-token.ts';

/** The link that opened the page. `token` is null when the link lacks one, was used or has expired. */
export function useLink(words: (error: unknown, nowMs: number) => Failure) {
  const given = useLinkToken();
  const [ended, setEnded] = useState<string | null>(null);
  const { failure, isSending, send } = useSending(words);
  const token = given === ended ? null : given;
  const sendWith = (change: (token: string) => Promise<void>): void => {
    if (token === null) return;
    void send(async () => {
      try {
        await change(token);
      } catch (error) {
        if (!isLinkEnded(error)) throw error;
        setEnded(token);
      }
    });
  };
  return { token, failure, isSending, sendWith };
}
