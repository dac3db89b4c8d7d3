import type { ReactNode } from 'react';
import { announce } from '../../frame/announce.tsx';
import { signIn } from '../../service/session.ts';
import { useSending } from '../../service/use-sending.ts';
import { fieldOf } from '../../ui/field-of.ts';
import css from './entry.module.css';
import { EntryForm } from './entry-form.tsx';
import { keyPairFailure } from './key-pair-words.ts';
import { openNext } from './open-next.ts';

/** Uncontrolled fields: the key and secret are in no state, storage or cache of this page. */
export function KeyPairForm({ next, otherWay }: { next: string; otherWay: ReactNode }) {
  const { failure, isSending, send } = useSending(keyPairFailure);
  const enter = (fields: FormData, empty: () => void) =>
    void send(async () => {
      await signIn({ apiKey: fieldOf(fields, 'apiKey'), apiSecret: fieldOf(fields, 'apiSecret') });
      empty();
      announce('You are signed in.');
      openNext(next);
    });
  return (
    <>
      <EntryForm
        send={enter}
        isSending={isSending}
        failure={failure}
        act="Sign in"
        acting="Signing in"
        after={
          <>
            <p className={css.links}>{otherWay}</p>
            <p className="note">
              The pair is sent once and not kept. A session cookie takes its place, for this browser only.
            </p>
          </>
        }
      >
        <label className={css.label} htmlFor="api-key">
          API key
        </label>
        <input
          id="api-key"
          name="apiKey"
          className={css.monoField}
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
          className={css.monoField}
          autoComplete="current-password"
          maxLength={200}
          required
        />
      </EntryForm>
      <WhereFrom />
    </>
  );
}

const WhereFrom = () => (
  <>
    <h2 className={css.section}>Where a key pair comes from</h2>
    <p>Make one on the page of keys once you are signed in. The operator can create one on the server too:</p>
    <pre className={css.command}>npm run -s admin -- key create --email you@example.com</pre>
    <p>It prints the key and its secret once. Without a key you can still check one indicator at a time.</p>
  </>
);
