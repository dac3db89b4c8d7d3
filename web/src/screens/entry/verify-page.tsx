import { announce } from '../../frame/announce.tsx';
import { Link } from '../../navigation/link.tsx';
import { go } from '../../navigation/place.ts';
import { assay } from '../../service/client.ts';
import { turnTo } from '../../service/session.ts';
import { typedIn } from '../../ui/field-of.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { entryFailure } from './entry-words.ts';
import { PasswordField } from './fields.tsx';
import { LinkEnded } from './outcome.tsx';
import { useLink } from './use-link.ts';

const wordsOf = entryFailure('Proving the address');

export default function VerifyPage() {
  const { token, failure, isSending, sendWith } = useLink(wordsOf);
  const prove = (fields: FormData, empty: () => void) =>
    sendWith(async (of) => {
      const body = { token: of, password: typedIn(fields, 'password') };
      await turnTo(await assay.call('postApiAuthVerify', { body }));
      empty();
      announce('Your address is proven and you are signed in.');
      go('/', { replace: true });
    });
  return (
    <EntryPage title="Prove your address">
      {token === null ? (
        <LinkEnded>
          Open the link of the newest letter, <Link to="/register">register again</Link>, or{' '}
          <Link to="/sign-in">sign in</Link> if you have done this before.
        </LinkEnded>
      ) : (
        <EntryForm
          key={token}
          send={prove}
          isSending={isSending}
          failure={failure}
          act="Prove the address and sign in"
          acting="Signing in"
          after={
            <p className="note">
              You did not register here? Close this page. Without the password the registration stays
              incomplete and ends within a day.
            </p>
          }
        >
          <PasswordField
            label="Password"
            hint="The one that you chose when you registered: it shows that the registration is yours."
          />
        </EntryForm>
      )}
    </EntryPage>
  );
}
