import type { FactorNeeded } from '@assay/sdk';
import { type ReactNode, useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { Link } from '../../navigation/link.tsx';
import { go } from '../../navigation/place.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { canUsePasskeys, signPasskeyChallenge } from '../../secrets/passkeys.ts';
import { assay } from '../../service/client.ts';
import { turnTo, useSession } from '../../service/session.ts';
import { useSending } from '../../service/use-sending.ts';
import { Button } from '../../ui/button.tsx';
import { fieldOf, typedIn } from '../../ui/field-of.ts';
import css from './entry.module.css';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { entryFailure } from './entry-words.ts';
import { FactorForm } from './factor-form.tsx';
import { EmailField, PasswordField } from './fields.tsx';
import { KeyPairForm } from './key-pair-form.tsx';
import { openNext } from './open-next.ts';
import { SsoForm } from './sso-form.tsx';

const wordsOf = entryFailure('Signing in');
const WAYS = {
  password: 'Use an e-mail address and a password',
  sso: 'Use single sign-on',
  key: 'Use a key pair',
} as const;

export default function SignInPage() {
  const session = useSession();
  const { search } = useShownPlace();
  const way = search.with === 'key' || search.with === 'sso' ? search.with : 'password';
  const otherWays = (Object.keys(WAYS) as (keyof typeof WAYS)[])
    .filter((other) => other !== way)
    .map((other) => (
      <Button
        key={other}
        look="plain"
        onClick={() =>
          go('/sign-in', {
            search: { ...search, error: undefined, with: other === 'password' ? undefined : other },
            replace: true,
          })
        }
      >
        {WAYS[other]}
      </Button>
    ));
  const next = search.next ?? '/';
  return (
    <EntryPage title="Sign in">
      {session.state === 'signed-in' && (
        <p className={css.lead}>
          You are signed in as <b>{session.account.email}</b>. <Link to="/">Check something</Link>, or sign in
          to another account.
        </p>
      )}
      {search.error === 'sso_failed' && (
        <p className={css.lead} role="alert">
          <b>Single sign-on did not work.</b> Try it again. If it fails again, an administrator of your
          organization finds the reason in its audit trail.
        </p>
      )}
      {way === 'key' && <KeyPairForm next={next} otherWay={otherWays} />}
      {way === 'sso' && <SsoForm next={next} otherWay={otherWays} />}
      {way === 'password' && <PasswordForm next={next} otherWay={otherWays} />}
    </EntryPage>
  );
}

function PasswordForm({ next, otherWay }: { next: string; otherWay: ReactNode }) {
  const { failure, isSending, send } = useSending(wordsOf);
  const [needed, setNeeded] = useState<FactorNeeded | null>(null);
  const finish = async (account: Parameters<typeof turnTo>[0]) => {
    await turnTo(account);
    announce('You are signed in.');
    openNext(next);
  };
  const enter = (fields: FormData, empty: () => void) =>
    void send(async () => {
      const body = { email: fieldOf(fields, 'email'), password: typedIn(fields, 'password') };
      const answer = await assay.call('postApiAuthLogin', { body });
      empty();
      if (answer.signedIn) await finish(answer);
      else setNeeded(answer);
    });
  const enterByPasskey = () =>
    void send(async () =>
      finish(await assay.call('postApiAuthPasskey', { body: { passkey: await signPasskeyChallenge() } })),
    );
  if (needed !== null) return <FactorForm needed={needed} next={next} />;
  return (
    <EntryForm
      send={enter}
      isSending={isSending}
      failure={failure}
      act="Sign in"
      acting="Signing in"
      after={
        <>
          <p className={css.links}>
            <Link to="/forgot">Forgot the password?</Link>
            <Link to="/register">Register</Link>
            {otherWay}
            {canUsePasskeys() && (
              <Button look="plain" disabled={isSending} onClick={enterByPasskey}>
                Use a passkey
              </Button>
            )}
          </p>
          <p className="note">
            The password is sent once and not kept. This browser keeps two cookies: one for your session, and
            one that marks it as a device you used, so that others who guess your password cannot lock you out
            here.
          </p>
        </>
      }
    >
      <EmailField />
      <PasswordField label="Password" />
    </EntryForm>
  );
}
