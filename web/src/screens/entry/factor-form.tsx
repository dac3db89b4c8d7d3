import type { FactorNeeded } from '@assay/sdk';
import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { signPasskeyChallenge } from '../../secrets/passkeys.ts';
import { assay } from '../../service/client.ts';
import { turnTo } from '../../service/session.ts';
import { useSending } from '../../service/use-sending.ts';
import { Button } from '../../ui/button.tsx';
import { fieldOf } from '../../ui/field-of.ts';
import css from './entry.module.css';
import { EntryForm } from './entry-form.tsx';
import { entryFailure } from './entry-words.ts';
import { openNext } from './open-next.ts';

const wordsOf = entryFailure('Signing in');
const OTHER_WAYS = {
  totp: 'Use a code of your app',
  passkey: 'Use a passkey',
  recovery: 'Use a recovery code',
} as const;
type Way = keyof typeof OTHER_WAYS;

/** The second step of a sign-in: the password was right, and the account has a second factor. */
export function FactorForm({ needed, next }: { needed: FactorNeeded; next: string }) {
  const [way, setWay] = useState<Way>(needed.factorNeeded[0] ?? 'totp');
  const { failure, isSending, send } = useSending(wordsOf);
  const { ticket } = needed;
  const enter = (fields: FormData, empty: () => void) =>
    void send(async () => {
      const typed = fieldOf(fields, 'code');
      const shown =
        way === 'passkey'
          ? { passkey: await signPasskeyChallenge() }
          : way === 'totp'
            ? { code: typed }
            : { recoveryCode: typed };
      await turnTo(await assay.call('postApiAuthFactor', { body: { ticket, ...shown } }));
      empty();
      announce('You are signed in.');
      openNext(next);
    });
  return (
    <EntryForm
      key={way}
      send={enter}
      isSending={isSending}
      failure={failure}
      act={way === 'passkey' ? 'Use the passkey' : 'Sign in'}
      acting="Signing in"
      after={
        <p className={css.links}>
          {needed.factorNeeded
            .filter((other) => other !== way)
            .map((other) => (
              <Button key={other} look="plain" onClick={() => setWay(other)}>
                {OTHER_WAYS[other]}
              </Button>
            ))}
        </p>
      }
    >
      {way === 'passkey' ? (
        <p className={css.lead}>Your password is right. Confirm with the passkey of this account.</p>
      ) : (
        <CodeField isRecovery={way === 'recovery'} />
      )}
    </EntryForm>
  );
}

const CodeField = ({ isRecovery }: { isRecovery: boolean }) => (
  <>
    <label className={css.label} htmlFor="code">
      {isRecovery ? 'Recovery code' : 'Code of your authenticator app'}
    </label>
    <input
      id="code"
      name="code"
      className={css.field}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      autoCapitalize="off"
      spellCheck={false}
      inputMode={isRecovery ? undefined : 'numeric'}
      maxLength={40}
      required
      // This field replaces the one that had the focus, so it takes the focus over.
      ref={(field) => field?.focus()}
    />
  </>
);
