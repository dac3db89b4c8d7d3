import { useState } from 'react';
import { Link } from '../../navigation/link.tsx';
import { assay } from '../../service/client.ts';
import { askSessionAgain } from '../../service/session.ts';
import { typedIn } from '../../ui/field-of.ts';
import css from './entry.module.css';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { entryFailure } from './entry-words.ts';
import { NewPasswordField } from './fields.tsx';
import { LinkEnded, Outcome } from './outcome.tsx';
import { useLink } from './use-link.ts';

const wordsOf = entryFailure('Setting the password');

export default function ResetPage() {
  const { token, failure, isSending, sendWith } = useLink(wordsOf);
  const [set, setSet] = useState<{ readonly token: string; readonly message: string } | null>(null);
  const change = (fields: FormData) =>
    sendWith(async (of) => {
      const body = { token: of, password: typedIn(fields, 'password') };
      const { message } = await assay.call('postApiAuthReset', { body });
      setSet({ token: of, message });
      void askSessionAgain();
    });
  return (
    <EntryPage title="Choose a new password">
      {set !== null && set.token === token ? (
        <Outcome state="done">
          <p>
            <b>{set.message}</b>
          </p>
          <p className={css.links}>
            <Link to="/sign-in">Sign in</Link>
          </p>
        </Outcome>
      ) : token === null ? (
        <LinkEnded>
          <Link to="/forgot">Ask for a new letter</Link>. With the link of an operator, ask the operator for
          another one.
        </LinkEnded>
      ) : (
        <EntryForm
          key={token}
          send={change}
          isSending={isSending}
          failure={failure}
          act="Set the password"
          acting="Setting it"
          after={<p className="note">Every open session of yours ends. Your key pairs go on working.</p>}
        >
          <NewPasswordField />
        </EntryForm>
      )}
    </EntryPage>
  );
}
