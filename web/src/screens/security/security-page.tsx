import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { type SignedIn, useSession } from '../../service/session.ts';
import { Section } from '../../ui/section.tsx';
import { AppPanel } from './app-panel.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { RecoveryPanel } from './recovery-panel.tsx';
import css from './security.module.css';
import { whyFixed } from './security-words.ts';
import { SessionsPanel } from './sessions-panel.tsx';
import { useSessions, useUser } from './use-security.ts';

export default function SecurityPage() {
  useTitle('Security');
  const session = useSession();
  return (
    <>
      <h1 className={`page-title ${css.title}`}>Security</h1>
      {session.state === 'loading' && <div className={css.waiting} data-state="loading" aria-busy="true" />}
      {session.state === 'signed-out' && (
        <p className={css.lead} data-state="empty">
          <Link to="/sign-in" search={{ next: '/security' }}>
            Sign in
          </Link>{' '}
          to see your passkeys, your authenticator app and your open sessions.
        </p>
      )}
      {session.state === 'signed-in' && <OfPerson session={session} key={session.account.userId} />}
    </>
  );
}

function OfPerson({ session: { account } }: { session: SignedIn }) {
  const current = useSessions().data?.sessions.find(({ isCurrent }) => isCurrent);
  const organizations = useUser().data?.organizations ?? [];
  const fixed = whyFixed(current);
  const mayChange = fixed === null;
  return (
    <div data-state="ready">
      <p className={css.lead}>
        How you sign in as <b>{account.email}</b>, and where you are signed in.
      </p>
      {fixed !== null && (
        <p className={css.reason} data-state="partial">
          {fixed}{' '}
          <Link to="/sign-in" search={{ next: '/security' }}>
            Sign in
          </Link>
        </p>
      )}
      <Section of="passkeys">
        <PasskeysPanel mayChange={mayChange} />
      </Section>
      <Section of="app">
        <AppPanel mayChange={mayChange} />
      </Section>
      <Section of="recovery">
        <RecoveryPanel mayChange={mayChange} email={account.email} />
      </Section>
      <Section of="password">
        <PasswordPanel />
      </Section>
      <Section of="sessions">
        <SessionsPanel organizations={organizations} />
      </Section>
      {mayChange && (
        <Section of="deletion">
          <DeletePanel email={account.email} />
        </Section>
      )}
    </div>
  );
}
