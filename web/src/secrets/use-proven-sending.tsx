import { Forbidden } from '@assay/sdk';
import { type ReactNode, useRef, useState } from 'react';
import { keep } from '../service/browser-storage.ts';
import { assay } from '../service/client.ts';
import { describeFailure, type Failure } from '../service/failure.ts';
import { SSO_NEXT } from '../service/sso-next.ts';
import { useSending } from '../service/use-sending.ts';
import { Button } from '../ui/button.tsx';
import { PasskeyNotShown } from './passkey-not-shown.ts';
import { canUsePasskeys, signPasskeyChallenge } from './passkeys.ts';
import css from './proof-field.module.css';
import { type ProofWay, proofWays, providerToAsk } from './proof-ways.ts';

const wordsOf = (error: unknown, nowMs: number): Failure => {
  const failure = describeFailure(error, nowMs);
  if (error instanceof PasskeyNotShown)
    return { ...failure, title: 'No passkey was shown', detail: 'Nothing was changed. Try again.' };
  if (error instanceof Forbidden && providerToAsk(error.body) !== null)
    return {
      ...failure,
      title: 'Confirm that it is you',
      detail: 'You signed in more than ten minutes ago. Sign in through your organization again.',
    };
  if (!(error instanceof Forbidden) || proofWays(error.body, canUsePasskeys()).length === 0) return failure;
  return {
    ...failure,
    title: 'Confirm that it is you',
    detail:
      error.body.factorNeeded === undefined
        ? 'You signed in more than ten minutes ago. Type your password and press the button again.'
        : 'This session has not shown your second factor. Show it and press the button again.',
  };
};

const INSTEAD: Readonly<Record<ProofWay, string>> = {
  password: 'Use the password instead',
  code: 'Use a code of your app instead',
  passkey: 'Use a passkey instead',
};

/**
 * Sends changes that need a proof of identity from the last ten minutes. If the service asks for one, `proof` is a form
 * field for it, which is sent before the change. A session of a key pair is never asked.
 */
export function useProvenSending(): ReturnType<typeof useSending> & { readonly proof: ReactNode } {
  const [ways, setWays] = useState<readonly ProofWay[]>([]);
  const [way, setWay] = useState<ProofWay>('password');
  const [provider, setProvider] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { failure, isSending, send } = useSending(wordsOf);
  const sendProven = (change: () => Promise<void>): Promise<void> =>
    send(async () => {
      if (ways.length > 0) {
        const typed = field.current?.value ?? '';
        const body = way === 'passkey' ? { passkey: await signPasskeyChallenge() } : { [way]: typed };
        await assay.call('postApiAuthConfirm', { body });
        setWays([]);
      }
      try {
        await change();
      } catch (error) {
        const asked = error instanceof Forbidden ? proofWays(error.body, canUsePasskeys()) : [];
        setProvider(error instanceof Forbidden ? providerToAsk(error.body) : null);
        setWays(asked);
        setWay(asked[0] ?? 'password');
        throw error;
      }
    });
  const proof = ways.length > 0 && (
    <>
      {way === 'passkey' ? (
        <p className={css.label}>The browser asks for your passkey when you press the button.</p>
      ) : (
        <ProofField key={way} way={way} field={field} />
      )}
      <p className={css.ways}>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} look="plain" onClick={() => setWay(other)}>
              {INSTEAD[other]}
            </Button>
          ))}
      </p>
    </>
  );
  return {
    failure,
    isSending,
    send: sendProven,
    proof: provider === null ? proof : <ProviderLink organizationId={provider} />,
  };
}

const ProofField = ({
  way,
  field,
}: {
  way: 'password' | 'code';
  field: React.RefObject<HTMLInputElement | null>;
}) => (
  <>
    <label className={css.label} htmlFor="proof">
      {way === 'password' ? 'Your password' : 'Code of your authenticator app'}
    </label>
    <input
      id="proof"
      ref={field}
      type={way === 'password' ? 'password' : 'text'}
      className={css.field}
      autoComplete={way === 'password' ? 'current-password' : 'one-time-code'}
      inputMode={way === 'password' ? undefined : 'numeric'}
      maxLength={512}
    />
  </>
);

/** The current address below the base of the dashboard, to come back to after signing in again. */
const placeHere = (): string => location.pathname.replace(/^\/app(?=\/)/, '') + location.search;

const ProviderLink = ({ organizationId }: { organizationId: string }) => (
  <p>
    <a
      href={`/api/auth/sso/start?orgId=${encodeURIComponent(organizationId)}&fresh=true`}
      onClick={() => keep('tab', SSO_NEXT, placeHere())}
    >
      Sign in through your organization
    </a>
  </p>
);
