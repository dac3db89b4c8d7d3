import type { OrganizationMember } from '@assay/sdk';
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
import { mayChange, originWords, type Role, rolesGivenBy, roleWord } from './organization-words.ts';
import { RoleField } from './role-field.tsx';
import { askOrganizationAgain, useMembers } from './use-organization.ts';

type Open = { readonly kind: 'role' | 'remove'; readonly member: OrganizationMember } | null;

export function MembersPanel({ role }: { role: string | null }) {
  const asked = useMembers();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const members = asked.data?.members ?? [];
  return (
    <Panel title="Members" state={queryPanel(asked, 'Asking who belongs to it.')} minHeight={160}>
      <table className={table.table} aria-label="Members">
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">Role</th>
            <th scope="col">Joined</th>
            <th scope="col">
              <span className="visually-hidden">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.userId}>
              <th scope="row">
                <InertText>{member.email}</InertText>
                {member.isYou && <p className="note">You.</p>}
              </th>
              <td>{roleWord(member.role)}</td>
              <td>
                <span className={table.narrow}>Joined </span>
                <Moment at={member.joinedAt} />
                {originWords(member.origin)}
              </td>
              <td className={table.act}>
                {mayChange(role, member) && (
                  <>
                    <Button
                      aria-label={`Change role of ${member.email}`}
                      onClick={() => setOpen({ kind: 'role', member })}
                    >
                      Change role
                    </Button>
                    <Button
                      aria-label={`Remove ${member.email}`}
                      onClick={() => setOpen({ kind: 'remove', member })}
                    >
                      Remove
                    </Button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {open?.kind === 'role' && <ChangeRole of={open.member} role={role} close={close} />}
      {open?.kind === 'remove' && <RemoveMember of={open.member} close={close} />}
    </Panel>
  );
}

type DialogProps = { readonly of: OrganizationMember; readonly close: () => void };

function ChangeRole({ of, role, close }: DialogProps & { role: string | null }) {
  const change = async (fields: FormData) => {
    const path = { userId: of.userId };
    await assay.call('patchApiOrganizationMembersUserId', {
      path,
      body: { role: fieldOf(fields, 'role') as Role },
    });
    announce('The role is changed.');
    await askOrganizationAgain();
  };
  return (
    <ConfirmLayer title="Change the role" act="Change it" acting="Changing" change={change} close={close}>
      <p>
        <b>
          <InertText>{of.email}</InertText>
        </b>{' '}
        gets the new role at once, and so do their keys of the organization.
      </p>
      <RoleField roles={rolesGivenBy(role)} chosen={of.role} />
    </ConfirmLayer>
  );
}

function RemoveMember({ of, close }: DialogProps) {
  const remove = async () => {
    await assay.call('deleteApiOrganizationMembersUserId', { path: { userId: of.userId } });
    announce('The member is removed.');
    await askOrganizationAgain();
  };
  return (
    <ConfirmLayer title="Remove the member" act="Remove" acting="Removing" change={remove} close={close}>
      <p>
        <b>
          <InertText>{of.email}</InertText>
        </b>{' '}
        loses the organization now: their keys of it end within a second, their sessions with the next
        request, and invitations that they sent end too. Indicators and reports stay. The person is told by
        letter.
      </p>
    </ConfirmLayer>
  );
}
