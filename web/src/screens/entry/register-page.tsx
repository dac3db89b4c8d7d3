import { useState } from 'react';
import { Link } from '../../navigation/link.tsx';
import { assay } from '../../service/client.ts';
import { useSending } from '../../service/use-sending.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { fieldOf, typedIn } from '../../ui/field-of.ts';
import { InertText } from '../../ui/inert-text.tsx';
import css from './entry.module.css';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { entryFailure } from './entry-words.ts';
import { EmailField, NewPasswordField } from './fields.tsx';
import { Outcome } from './outcome.tsx';

type Sent = { readonly email: string; readonly message: string };

const wordsOf = entryFailure('Registering');
const wordsOfAgain = entryFailure('Asking for a letter');

export default function RegisterPage() {
  const [sent, setSent] = useState<Sent | null>(null);
  const { failure, isSending, send } = useSending(wordsOf);
  const register = (fields: FormData) =>
    void send(async () => {
      const body = { email: fieldOf(fields, 'email'), password: typedIn(fields, 'password') };
      const { message } = await assay.call('postApiAuthRegister', { body });
      setSent({ email: body.email, message });
    });
  return (
    <EntryPage title="Register">
      {sent === null ? (
        <EntryForm
          send={register}
          isSending={isSending}
          failure={failure}
          act="Register"
          acting="Registering"
          after={
            <>
              <p className="note">A letter with a link proves that the address is yours.</p>
              <p className={css.links}>
                <Link to="/sign-in">You have an account? Sign in</Link>
              </p>
            </>
          }
        >
          <EmailField />
          <NewPasswordField label="Password" />
        </EntryForm>
      ) : (
        <LetterSent sent={sent} change={() => setSent(null)} />
      )}
    </EntryPage>
  );
}

function LetterSent({ sent: { email, message }, change }: { sent: Sent; change: () => void }) {
  const { failure, isSending, send } = useSending(wordsOfAgain);
  const [isAgain, setAgain] = useState(false);
  const sendAgain = () =>
    void send(async () => {
      await assay.call('postAuthResendVerification', { body: { email } });
      setAgain(true);
    });
  return (
    <Outcome state="done">
      <p>
        <b>
          Look into the mailbox of <InertText>{email}</InertText>.
        </b>{' '}
        {message}
      </p>
      <p>The link works once, for a day, and asks for the password that you have just chosen.</p>
      {failure !== null && <FailureNote failure={failure} />}
      <p className={css.links}>
        <Button onClick={sendAgain} disabled={isSending}>
          {isSending ? 'Asking' : 'Send the letter again'}
        </Button>
        <Button look="plain" onClick={change}>
          Use another address
        </Button>
      </p>
      <p role="status" className="note">
        {isAgain ? 'Asked for again. Only the link of the newest letter works.' : ''}
      </p>
    </Outcome>
  );
}
