import { useState } from 'react';
import { Link } from '../../navigation/link.tsx';
import { assay } from '../../service/client.ts';
import { useSending } from '../../service/use-sending.ts';
import { fieldOf } from '../../ui/field-of.ts';
import css from './entry.module.css';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { entryFailure } from './entry-words.ts';
import { EmailField } from './fields.tsx';
import { Outcome } from './outcome.tsx';

const wordsOf = entryFailure('Asking for a letter');

export default function ForgotPage() {
  const [message, setMessage] = useState<string | null>(null);
  const { failure, isSending, send } = useSending(wordsOf);
  const ask = (fields: FormData) =>
    void send(async () => {
      const body = { email: fieldOf(fields, 'email') };
      setMessage((await assay.call('postApiAuthForgot', { body })).message);
    });
  return (
    <EntryPage title="Set a new password" lead="A letter brings a link with which you choose a new password.">
      {message === null ? (
        <EntryForm
          send={ask}
          isSending={isSending}
          failure={failure}
          act="Send the letter"
          acting="Sending"
          after={
            <p className={css.links}>
              <Link to="/sign-in">Back to signing in</Link>
            </p>
          }
        >
          <EmailField />
        </EntryForm>
      ) : (
        <Outcome state="done">
          <p>
            <b>{message}</b>
          </p>
          <p>The link works once, for an hour. Your sessions and keys stay as they are until then.</p>
          <p className={css.links}>
            <Link to="/sign-in">Back to signing in</Link>
          </p>
        </Outcome>
      )}
    </EntryPage>
  );
}
