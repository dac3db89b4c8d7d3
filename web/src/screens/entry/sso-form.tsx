import { type ReactNode, useState } from 'react';
import { keep } from '../../service/browser-storage.ts';
import { assay } from '../../service/client.ts';
import { SSO_NEXT } from '../../service/sso-next.ts';
import { useSending } from '../../service/use-sending.ts';
import { fieldOf } from '../../ui/field-of.ts';
import css from './entry.module.css';
import { EntryForm } from './entry-form.tsx';
import { entryFailure } from './entry-words.ts';
import { EmailField } from './fields.tsx';

const wordsOf = entryFailure('Signing in');

/** The domain of the address decides which provider the browser goes to. Nothing else of the address is used. */
export function SsoForm({ next, otherWay }: { next: string; otherWay: ReactNode }) {
  const { failure, isSending, send } = useSending(wordsOf);
  const [unknown, setUnknown] = useState<string | null>(null);
  const look = (fields: FormData) =>
    void send(async () => {
      const email = fieldOf(fields, 'email');
      setUnknown(null);
      const answer = await assay.call('postApiAuthSsoLookup', { body: { email } });
      if (!answer.found) return setUnknown(email.slice(email.lastIndexOf('@') + 1));
      keep('tab', SSO_NEXT, next);
      location.assign(`/api/auth/sso/start?orgId=${encodeURIComponent(answer.organizationId)}`);
    });
  return (
    <EntryForm
      send={look}
      isSending={isSending}
      failure={failure}
      act="Go on"
      acting="Looking"
      after={
        <>
          {unknown !== null && (
            <p className={css.lead} role="alert">
              No organization here has single sign-on for <b>{unknown}</b>. Sign in with a password, or ask an
              administrator of your organization.
            </p>
          )}
          <p className={css.links}>{otherWay}</p>
          <p className="note">You sign in at the provider of your organization. Your password stays there.</p>
        </>
      }
    >
      <EmailField />
    </EntryForm>
  );
}
