import { useEffect, useState } from 'react';
import { Link } from '../navigation/link.tsx';
import { usePlace } from '../navigation/place.ts';
import { describeFailure } from '../service/failure.ts';
import { refreshSession, type SignedIn, signOut, useSession } from '../service/session.ts';
import { Button } from '../ui/button.tsx';
import { exact } from '../words/numbers.ts';
import { announce } from './announce.tsx';
import rail from './rail.module.css';
import css from './session-note.module.css';

export function SessionNote({ switchAccount }: { switchAccount: () => void }) {
  const session = useSession();
  const { path } = usePlace();
  // Refreshed when the path changes, because that shows use. A timer would keep an unused session alive.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path triggers the effect and is not read in it.
  useEffect(() => void refreshSession(), [path]);
  return (
    <div className={css.note} data-state={session.state} aria-busy={session.state === 'loading'}>
      {session.state === 'signed-out' && (
        <Link
          to="/sign-in"
          {...(path === '/sign-in' ? {} : { search: { next: path } })}
          className={rail.link}
        >
          Sign in
        </Link>
      )}
      {session.state === 'signed-in' && <Account session={session} switchAccount={switchAccount} />}
    </div>
  );
}

function Account({
  session: { account, organization, plan, usage },
  switchAccount,
}: {
  session: SignedIn;
  switchAccount: () => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const leave = async () => {
    setProblem(null);
    try {
      await signOut();
      announce('You are signed out.');
    } catch (error) {
      const { title, detail } = describeFailure(error, Date.now());
      setProblem(`${title}. ${detail} You are still signed in.`);
    }
  };
  const left = Math.max(0, usage.limit - usage.used);
  return (
    <>
      <p className={css.name} title={account.email}>
        {organization?.name || account.email}
      </p>
      <p className={css.line}>{plan} plan</p>
      <p className={css.line} title={`${exact(usage.used)} of ${exact(usage.limit)} used this month`}>
        {exact(left)} of {exact(usage.limit)} checks left until {usage.resetsAt.slice(0, 10)}
      </p>
      <p className={css.acts}>
        <Button look="plain" onClick={switchAccount}>
          Switch account
        </Button>
        <Button look="plain" onClick={leave}>
          Sign out
        </Button>
      </p>
      {problem !== null && (
        <p role="alert" className={css.line}>
          {problem}
        </p>
      )}
    </>
  );
}
