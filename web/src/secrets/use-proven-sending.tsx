import { Forbidden } from '@assay/sdk';
import { type ReactNode, useRef, useState } from 'react';
import { assay } from '../service/client.ts';
import { describeFailure, type Failure } from '../service/failure.ts';
import { useSending } from '../service/use-sending.ts';
import css from './proof-field.module.css';

const isUnproven = (error: unknown): boolean =>
  error instanceof Forbidden && error.body.confirmationRequired === true;

const wordsOf = (error: unknown, nowMs: number): Failure => {
  const failure = describeFailure(error, nowMs);
  if (!isUnproven(error)) return failure;
  return {
    ...failure,
    title: 'Confirm that it is you',
    detail: 'You signed in more than ten minutes ago. Type your password and press the button again.',
  };
};

/**
 * For changes that need a proof of the last ten minutes: where the service asks for one, `proof` is a field for the password,
 * which is sent before the change. A session of a key pair is never asked.
 */
export function useProvenSending(): ReturnType<typeof useSending> & { readonly proof: ReactNode } {
  const [needsProof, setNeedsProof] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { failure, isSending, send } = useSending(wordsOf);
  const sendProven = (change: () => Promise<void>): Promise<void> =>
    send(async () => {
      if (needsProof) {
        await assay.call('postApiAuthConfirm', { body: { password: field.current?.value ?? '' } });
        setNeedsProof(false);
      }
      try {
        await change();
      } catch (error) {
        setNeedsProof(isUnproven(error));
        throw error;
      }
    });
  const proof = needsProof && (
    <>
      <label className={css.label} htmlFor="proof-password">
        Your password
      </label>
      <input
        id="proof-password"
        ref={field}
        type="password"
        className={css.field}
        autoComplete="current-password"
        maxLength={512}
      />
    </>
  );
  return { failure, isSending, send: sendProven, proof };
}
