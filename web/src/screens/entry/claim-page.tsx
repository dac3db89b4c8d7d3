import type { ClaimedKey } from '@assay/sdk';
import { useState } from 'react';
import { Link } from '../../navigation/link.tsx';
import { FirstAnswer } from '../../secrets/first-answer.tsx';
// Not loaded lazily: if this script failed to load after the claim, the secret could not be shown and would be lost.
import { RevealLayer } from '../../secrets/reveal-layer.tsx';
import { assay } from '../../service/client.ts';
import { askSessionAgain } from '../../service/session.ts';
import { typedIn } from '../../ui/field-of.ts';
import { exact } from '../../words/numbers.ts';
import css from './entry.module.css';
import { EntryForm } from './entry-form.tsx';
import { EntryPage } from './entry-page.tsx';
import { entryFailure } from './entry-words.ts';
import { NewPasswordField } from './fields.tsx';
import { LinkEnded, Outcome } from './outcome.tsx';
import { useLink } from './use-link.ts';

const wordsOf = entryFailure('Claiming the key');

export default function ClaimPage() {
  const { token, failure, isSending, sendWith } = useLink(wordsOf);
  const [revealed, setRevealed] = useState<ClaimedKey | null>(null);
  const [claimed, setClaimed] = useState<{ readonly token: string; readonly checks: number } | null>(null);
  const claim = (fields: FormData) =>
    sendWith(async (of) => {
      const body = { token: of, password: typedIn(fields, 'password') };
      const key = await assay.call('postApiAuthClaim', { body });
      setRevealed(key);
      setClaimed({ token: of, checks: key.quota.requestsPerMonth });
      void askSessionAgain();
    });
  return (
    <EntryPage title="Claim your key">
      {claimed !== null && claimed.token === token ? (
        <Claimed checks={claimed.checks} />
      ) : token === null ? (
        <LinkEnded>
          <Link to="/forgot">Ask for a new letter</Link> with the address of the key, or{' '}
          <Link to="/sign-in">sign in</Link> if you have claimed it before.
        </LinkEnded>
      ) : (
        <EntryForm
          key={token}
          send={claim}
          isSending={isSending}
          failure={failure}
          act="Claim the key"
          acting="Claiming it"
          after={
            <p className="note">
              The account becomes yours. The key gets a new secret, which you see next; the old secret, keys
              made with it and their sessions end at once.
            </p>
          }
        >
          <NewPasswordField label="Password for the dashboard" />
        </EntryForm>
      )}
      {revealed !== null && (
        <RevealLayer
          title="Your key"
          name={revealed.apiKey}
          revealed={revealed}
          after={<FirstAnswer />}
          close={() => setRevealed(null)}
        />
      )}
    </EntryPage>
  );
}

const Claimed = ({ checks }: { checks: number }) => (
  <Outcome state="done">
    <p>
      <b>The account is yours and you are signed in.</b> It has {exact(checks)} checks a month.
    </p>
    <p className={css.links}>
      <Link to="/">Check something</Link>
      <Link to="/keys">See your keys</Link>
    </p>
  </Outcome>
);
