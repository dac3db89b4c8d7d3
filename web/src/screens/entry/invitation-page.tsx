import { announce } from '../../frame/announce.tsx';
import { Link } from '../../navigation/link.tsx';
import { go } from '../../navigation/place.ts';
import { assay } from '../../service/client.ts';
import { useSession } from '../../service/session.ts';
import { switchAccount } from '../../service/switch-account.ts';
import css from './entry.module.css';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { entryFailure } from './entry-words.ts';
import { LinkEnded } from './outcome.tsx';
import { useLink } from './use-link.ts';

const wordsOf = entryFailure('Joining the organization');

/** An invitation is for one address: the person has to be signed in with it. */
export default function InvitationPage() {
  const session = useSession();
  const { token, failure, isSending, sendWith } = useLink(wordsOf);
  const accept = () =>
    sendWith(async (of) => {
      const { id, name } = await assay.call('postApiInvitationsAccept', { body: { token: of } });
      await switchAccount(id);
      announce(`You are a member of ${name}.`);
      go('/', { replace: true });
    });
  return (
    <EntryPage title="Join an organization">
      {token === null ? (
        <LinkEnded>Ask the person who invited you for a new invitation.</LinkEnded>
      ) : session.state === 'signed-in' ? (
        <EntryForm
          send={accept}
          isSending={isSending}
          failure={failure}
          act="Join"
          acting="Joining"
          after={
            <p className="note">
              The invitation is for the address that it was sent to. Is that another one? Sign in with that
              address, and open the link of the letter again.
            </p>
          }
        >
          <p className={css.lead}>
            You are signed in as <b>{session.account.email}</b>.
          </p>
        </EntryForm>
      ) : (
        <p className={css.lead}>
          <Link to="/sign-in">Sign in</Link> or <Link to="/register">register</Link> with the address that the
          invitation was sent to. Then open the link of the letter again.
        </p>
      )}
    </EntryPage>
  );
}
