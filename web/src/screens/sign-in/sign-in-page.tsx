import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { go } from '../../navigation/place.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import type { Failure } from '../../service/failure.ts';
import { signIn, useSession } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { fieldOf } from '../../ui/field-of.ts';
import css from './sign-in-page.module.css';
import { signInFailure } from './sign-in-words.ts';

export default function SignInPage() {
  useTitle('Sign in');
  const session = useSession();
  return (
    <section className={css.page}>
      <h1 className={`page-title ${css.title}`}>Sign in</h1>
      {session.state === 'signed-in' && (
        <p className={css.already}>
          You are signed in as <b>{session.account.email}</b>. <Link to="/">Check something</Link>, or sign in
          with another pair.
        </p>
      )}
      <SignInForm />
      <WhereFrom />
    </section>
  );
}

function SignInForm() {
  const { search } = useShownPlace();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    setFailure(null);
    setSending(true);
    try {
      await signIn({ apiKey: fieldOf(fields, 'apiKey'), apiSecret: fieldOf(fields, 'apiSecret') });
      form.reset();
      announce('You are signed in.');
      openNext(search.next ?? '/');
    } catch (error) {
      setFailure(signInFailure(error, Date.now()));
    } finally {
      setSending(false);
    }
  };
  // Uncontrolled fields: the key and secret are in no state, storage or cache of this page.
  return (
    <form onSubmit={submit} className={css.form} data-state={isSending ? 'sending' : 'ready'}>
      <label className={css.label} htmlFor="api-key">
        API key
      </label>
      <input
        id="api-key"
        name="apiKey"
        className={css.field}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={200}
        required
      />
      <label className={css.label} htmlFor="api-secret">
        API secret
      </label>
      <input
        id="api-secret"
        name="apiSecret"
        type="password"
        className={css.field}
        autoComplete="current-password"
        maxLength={200}
        required
      />
      {failure !== null && <FailureNote failure={failure} />}
      <p className={css.send}>
        <Button type="submit" look="primary" disabled={isSending}>
          {isSending ? 'Signing in' : 'Sign in'}
        </Button>
      </p>
      <p className="note">
        The pair is sent once and not kept. A session cookie takes its place, for this browser only.
      </p>
    </form>
  );
}

/** Only a path of this site: anything else would be an open redirect. */
function openNext(next: string): void {
  const [path = '/', query = ''] = (/^\/(?![/\\])/.test(next) ? next : '/').split('?');
  go(path, { search: Object.fromEntries(new URLSearchParams(query)), replace: true });
}

const WhereFrom = () => (
  <>
    <h2 className={css.section}>Where a key comes from</h2>
    <p>The operator of this service creates one, on the machine it runs on:</p>
    <pre className={css.command}>npm run -s admin -- key create --email you@example.com</pre>
    <p>
      It prints the key and its secret once. Accounts with passwords do not exist yet. Without a key you can
      still check one indicator at a time.
    </p>
  </>
);
