import { useEffect, useRef } from 'react';
import { announce } from '../../frame/announce.tsx';
import { Link } from '../../navigation/link.tsx';
import { keep, readKept } from '../../service/browser-storage.ts';
import { assay } from '../../service/client.ts';
import { turnTo } from '../../service/session.ts';
import { SSO_NEXT } from '../../service/sso-next.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import css from './entry.module.css';
import { EntryPage } from './entry-page.tsx';
import { entryFailure } from './entry-words.ts';
import { openNext } from './open-next.ts';
import { Outcome } from './outcome.tsx';
import { useLink } from './use-link.ts';

const wordsOf = entryFailure('Signing in');

/** Where the identity provider sends the browser back to. The token in the address opens the session, once. */
export default function SsoPage() {
  const { token, failure, isSending, sendWith } = useLink(wordsOf);
  const tried = useRef<string | null>(null);
  useEffect(() => {
    if (token === null || tried.current === token) return;
    tried.current = token;
    sendWith(async (of) => {
      const session = await assay.call('postApiAuthSsoSession', { body: { token: of } });
      const next = readKept('tab', SSO_NEXT) ?? '/';
      keep('tab', SSO_NEXT, null);
      await turnTo(session);
      announce('You are signed in.');
      openNext(next);
    });
  });
  return (
    <EntryPage title="Single sign-on">
      {token === null || failure !== null ? (
        <Outcome state="ended">
          {failure === null ? (
            <p>
              <b>This sign-in has ended.</b> It works once, for a minute.
            </p>
          ) : (
            <FailureNote failure={failure} />
          )}
          <p>
            <Link to="/sign-in" search={{ with: 'sso' }}>
              Sign in again
            </Link>
          </p>
        </Outcome>
      ) : (
        <p className={css.lead} data-state={isSending ? 'loading' : 'ready'} role="status">
          Signing you in.
        </p>
      )}
    </EntryPage>
  );
}
