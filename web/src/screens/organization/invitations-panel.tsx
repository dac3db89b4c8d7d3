import type { Invitation } from '@assay/sdk';
import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { ConfirmLayer } from '../../secrets/confirm-layer.tsx';
import { assay } from '../../service/client.ts';
import { Button } from '../../ui/button.tsx';
import { fieldOf } from '../../ui/field-of.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Panel } from '../../ui/panel.tsx';
import { queryPanel } from '../../ui/query-panel.ts';
import table from '../../ui/stacked-table.module.css';
import css from './organization.module.css';
import { type Role, roleWord } from './organization-words.ts';
import { RoleField } from './role-field.tsx';
import { askOrganizationAgain, useInvitations } from './use-organization.ts';

export function InvitationsPanel() {
  const asked = useInvitations();
  const [open, setOpen] = useState<'invite' | Invitation | null>(null);
  const close = () => setOpen(null);
  const invitations = asked.data?.invitations ?? [];
  return (
    <Panel
      title="Invitations"
      note="A letter with a link that works once, for seven days, for the owner of the address."
      state={queryPanel(asked, 'Asking for open invitations.')}
      minHeight={130}
    >
      {invitations.length === 0 ? (
        <p className={css.line}>No invitation is open.</p>
      ) : (
        <InvitationTable invitations={invitations} withdraw={setOpen} />
      )}
      <p className={css.actions}>
        <Button look="primary" onClick={() => setOpen('invite')}>
          Invite a person
        </Button>
      </p>
      {open === 'invite' && <Invite close={close} />}
      {open !== null && open !== 'invite' && <Withdraw of={open} close={close} />}
    </Panel>
  );
}

const InvitationTable = ({
  invitations,
  withdraw,
}: {
  invitations: readonly Invitation[];
  withdraw: (of: Invitation) => void;
}) => (
  <table className={table.table} aria-label="Open invitations">
    <thead>
      <tr>
        <th scope="col">Address</th>
        <th scope="col">Role</th>
        <th scope="col">Sent</th>
        <th scope="col">Ends</th>
        <th scope="col">
          <span className="visually-hidden">Change</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {invitations.map((invitation) => (
        <tr key={invitation.id}>
          <th scope="row">
            <InertText>{invitation.email}</InertText>
          </th>
          <td>{roleWord(invitation.role)}</td>
          <td>
            <span className={table.narrow}>Sent </span>
            <Moment at={invitation.createdAt} />
          </td>
          <td>
            <span className={table.narrow}>Ends </span>
            <Moment at={invitation.expiresAt} />
          </td>
          <td className={table.act}>
            <Button
              aria-label={`Withdraw the invitation of ${invitation.email}`}
              onClick={() => withdraw(invitation)}
            >
              Withdraw
            </Button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function Invite({ close }: { close: () => void }) {
  const invite = async (fields: FormData) => {
    const body = {
      email: fieldOf(fields, 'email'),
      role: fieldOf(fields, 'role') as Exclude<Role, 'OWNER'>,
    };
    await assay.call('postApiOrganizationInvitations', { body });
    announce(`An invitation is on its way to ${body.email}.`);
    await askOrganizationAgain();
  };
  return (
    <ConfirmLayer
      title="Invite a person"
      act="Send the letter"
      acting="Sending"
      change={invite}
      close={close}
    >
      <label htmlFor="invited">E-mail address</label>
      <input id="invited" name="email" type="email" maxLength={254} autoComplete="off" required />
      <RoleField roles={['ADMIN', 'MEMBER', 'VIEWER']} chosen="MEMBER" />
      <p className="note">
        Another invitation of the same address ends the link before. Owners are made of members.
      </p>
    </ConfirmLayer>
  );
}

function Withdraw({ of, close }: { of: Invitation; close: () => void }) {
  const withdraw = async () => {
    await assay.call('deleteApiOrganizationInvitationsId', { path: { id: of.id } });
    announce('The invitation is withdrawn.');
    await askOrganizationAgain();
  };
  return (
    <ConfirmLayer
      title="Withdraw the invitation"
      act="Withdraw"
      acting="Withdrawing"
      change={withdraw}
      close={close}
    >
      <p>
        The link in the letter to{' '}
        <b>
          <InertText>{of.email}</InertText>
        </b>{' '}
        stops working.
      </p>
    </ConfirmLayer>
  );
}
