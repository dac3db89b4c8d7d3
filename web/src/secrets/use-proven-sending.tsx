import { Forbidden } from '@assay/sdk';
import { type ReactNode, useRef, useState } from 'react';
import { keep } from '../service/browser-storage.ts';
import { assay } from '../service/client.ts';
import { describeFailure, type Failure } from '../service/failure.ts';
import { SSO_NEXT } from '../service/sso-next.ts';
import { useSending } from '../service/use-sending.ts';
import css from './proof-field.module.css';

const isUnproven = (error: unknown): error is Forbidden =>
  error instanceof Forbidden && error.body.confirmationRequired === true;

/** The organization whose provider has to ask again; null where a password does. */
const providerOf = (error: unknown): string | null =>
  isUnproven(error) && typeof error.body.organizationId === 'string' ? error.body.organizationId : null;

const wordsOf = (error: unknown, nowMs: number): Failure => {
  const failure = describeFailure(error, nowMs);
  if (!isUnproven(error)) return failure;
  if (providerOf(error) !== null)
    return {
      ...failure,
      title: 'Confirm that it is you',
      detail: 'You signed in more than ten minutes ago. Sign in through your organization again.',
    };
  return {
    ...failure,
    title: 'Confirm that it is you',
    detail: 'You signed in more than ten minutes ago. Type your password and press the button again.',
  };
};

/** Below the base of the dashboard. */
const placeHere = (): string => location.pathname.replace(/^\/app(?=\/)/, '') + location.search;

/**
 * For changes that need a proof of the last ten minutes: where the service asks for one, `proof` is a field for the password,
 * which is sent before the change. A session of a key pair is never asked.
 */
export function useProvenSending(): ReturnType<typeof useSending> & { readonly proof: ReactNode } {
  const [needsProof, setNeedsProof] = useState(false);
  const [provider, setProvider] = useState<string | null>(null);
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
        setProvider(providerOf(error));
        setNeedsProof(isUnproven(error) && providerOf(error) === null);
        throw error;
      }
    });
  const again = provider !== null && (
    <p>
      <a
        href={`/api/auth/sso/start?orgId=${encodeURIComponent(provider)}&fresh=true`}
        onClick={() => keep('tab', SSO_NEXT, placeHere())}
      >
        Sign in through your organization
      </a>
    </p>
  );
  const proof =
    again ||
    (needsProof && (
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
    ));
  return { failure, isSending, send: sendProven, proof };
}
