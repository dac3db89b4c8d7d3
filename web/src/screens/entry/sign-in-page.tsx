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

const wordsOf = entryFailure('Signing in');

export default function SignInPage() {
  const session = useSession();
  const { search } = useShownPlace();
  const isWithKey = search.with === 'key';
  const turn = () =>
    go('/sign-in', { search: { ...search, with: isWithKey ? undefined : 'key' }, replace: true });
  const otherWay = (
    <Button look="plain" onClick={turn}>
      {isWithKey ? 'Use an e-mail address and a password' : 'Use a key pair'}
    </Button>
  );
  const next = search.next ?? '/';
  return (
    <EntryPage title="Sign in">
      {session.state === 'signed-in' && (
        <p className={css.lead}>
          You are signed in as <b>{session.account.email}</b>. <Link to="/">Check something</Link>, or sign in
          to another account.
        </p>
      )}
      {isWithKey ? (
        <KeyPairForm next={next} otherWay={otherWay} />
      ) : (
        <PasswordForm next={next} otherWay={otherWay} />
      )}
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
            The password is sent once and not kept. A session cookie takes its place, for this browser only.
          </p>
        </>
      }
    >
      <EmailField />
      <PasswordField label="Password" />
    </EntryForm>
  );
}
