import { useState } from 'react';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { type SignedIn, useSession } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Section } from '../../ui/section.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { ClosingPanel } from './closing-panel.tsx';
import { InvitationsPanel } from './invitations-panel.tsx';
import { MembersPanel } from './members-panel.tsx';
import { NameOrganization } from './name-organization.tsx';
import css from './organization.module.css';
import { isManager, mayConnectProvider, roleWord } from './organization-words.ts';
import { OrganizationsPanel } from './organizations-panel.tsx';

export default function OrganizationPage() {
  useTitle('Organization');
  const session = useSession();
  return (
    <>
      <h1 className={`page-title ${css.title}`}>Organization</h1>
      {session.state === 'loading' && <div className={css.waiting} data-state="loading" aria-busy="true" />}
      {session.state === 'signed-out' && (
        <p className={css.lead} data-state="empty">
          <Link to="/sign-in" search={{ next: '/organization' }}>
            Sign in
          </Link>{' '}
          to see your organizations and their members.
        </p>
      )}
      {session.state === 'signed-in' && (
        <div key={session.account.id}>
          {session.organization === null ? (
            <p className={css.lead}>
              You work in your own account, <b>{session.account.email}</b>. An organization shares keys,
              reports and indicators between its members.
            </p>
          ) : (
            <Current organization={session.organization} session={session} />
          )}
          <Section of="organizations">
            <OrganizationsPanel current={session.organization?.id ?? null} />
          </Section>
        </div>
      )}
    </>
  );
}

function Current({
  organization: { name },
  session: { role, plan },
}: {
  organization: NonNullable<SignedIn['organization']>;
  session: SignedIn;
}) {
  const [isNaming, setNaming] = useState(false);
  return (
    <>
      <p className={css.lead}>
        <b>
          <InertText>{name}</InertText>
        </b>{' '}
        is on the {plan} plan. You are its {roleWord(role ?? '').toLowerCase()}.
        {!isManager(role) &&
          ' Owners and administrators invite people, change roles and read the audit trail.'}
      </p>
      {isManager(role) && (
        <p className={css.actions}>
          <Button onClick={() => setNaming(true)}>Give it another name</Button>
          {mayConnectProvider(role, plan) && (
            <Link className={css.link} to="/settings/sso">
              Single sign-on settings
            </Link>
          )}
        </p>
      )}
      {isNaming && <NameOrganization named={name} close={() => setNaming(false)} />}
      <Section of="members">
        <MembersPanel role={role} />
      </Section>
      {isManager(role) && (
        <>
          <Section of="invitations">
            <InvitationsPanel />
          </Section>
          <Section of="audit">
            <AuditPanel />
          </Section>
        </>
      )}
      <Section of="closing">
        <ClosingPanel name={name} role={role} />
      </Section>
    </>
  );
}
