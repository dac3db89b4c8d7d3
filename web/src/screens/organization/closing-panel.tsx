import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { go } from '../../navigation/place.ts';
import { ConfirmLayer } from '../../secrets/confirm-layer.tsx';
import { assay } from '../../service/client.ts';
import { askSessionAgain, turnTo } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import { fieldOf } from '../../ui/field-of.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import css from './organization.module.css';
import { isLastOwner } from './organization-words.ts';
import { askOrganizationAgain, useMembers } from './use-organization.ts';

type Props = { readonly name: string; readonly role: string | null };
type DialogProps = { readonly name: string; readonly close: () => void };

/** The panel for leaving an organization, handing it over and deleting it. */
export function ClosingPanel({ name, role }: Props) {
  const [open, setOpen] = useState<'leave' | 'transfer' | 'delete' | null>(null);
  const members = useMembers().data?.members ?? [];
  const close = () => setOpen(null);
  const isOwner = role === 'OWNER';
  const isLast = isLastOwner(members);
  const others = members.filter(({ isYou }) => !isYou);
  return (
    <Panel title={isOwner ? 'Hand over, leave, delete' : 'Leave'}>
      {isLast && (
        <p className={css.line}>
          You are the only owner. Hand the organization over or make another owner before you leave.
        </p>
      )}
      <p className={css.actions}>
        {isOwner && others.length > 0 && <Button onClick={() => setOpen('transfer')}>Hand over</Button>}
        {!isLast && <Button onClick={() => setOpen('leave')}>Leave the organization</Button>}
        {isOwner && <Button onClick={() => setOpen('delete')}>Delete the organization</Button>}
      </p>
      {open === 'leave' && <Leave name={name} close={close} />}
      {open === 'transfer' && <Transfer name={name} others={others} close={close} />}
      {open === 'delete' && <Delete name={name} close={close} />}
    </Panel>
  );
}

/** Shows the sign-in page after a change with which the service has ended the session, such as leaving. */
async function signedOut(said: string): Promise<void> {
  announce(said);
  await turnTo({ signedIn: false });
  go('/sign-in', { search: { next: '/organization' } });
}

function Leave({ name, close }: DialogProps) {
  const leave = async () => {
    await assay.call('postApiOrganizationLeave', {});
    await signedOut('You have left the organization. Sign in again to go on in your own account.');
  };
  return (
    <ConfirmLayer title="Leave the organization" act="Leave" acting="Leaving" change={leave} close={close}>
      <p>
        Your keys and sessions of{' '}
        <b>
          <InertText>{name}</InertText>
        </b>{' '}
        end for good, this session too. What you reported and saved stays with the organization.
      </p>
    </ConfirmLayer>
  );
}

function Transfer({
  name,
  others,
  close,
}: DialogProps & { others: readonly { readonly userId: string; readonly email: string }[] }) {
  const transfer = async (fields: FormData) => {
    await assay.call('postApiOrganizationTransfer', { body: { userId: fieldOf(fields, 'heir') } });
    announce('The organization is handed over. You are an administrator of it now.');
    await Promise.all([askSessionAgain(), askOrganizationAgain()]);
  };
  return (
    <ConfirmLayer
      title="Hand the organization over"
      act="Hand over"
      acting="Handing over"
      change={transfer}
      close={close}
    >
      <p>
        The person becomes an owner of{' '}
        <b>
          <InertText>{name}</InertText>
        </b>
        , and you stay as an administrator. Only an owner can make you one again.
      </p>
      <label htmlFor="heir">New owner</label>
      <select id="heir" name="heir">
        {others.map(({ userId, email }) => (
          <option key={userId} value={userId}>
            {email}
          </option>
        ))}
      </select>
    </ConfirmLayer>
  );
}

function Delete({ name, close }: DialogProps) {
  const remove = async () => {
    const { restorableUntil } = await assay.call('deleteApiOrganization', {});
    await signedOut(
      `The organization is deleted. Until ${restorableUntil.slice(0, 10)} an owner can restore it: sign in and open Organization.`,
    );
  };
  return (
    <ConfirmLayer
      title="Delete the organization"
      act="Delete it"
      acting="Deleting"
      change={remove}
      close={close}
    >
      <p>
        Keys and sessions of{' '}
        <b>
          <InertText>{name}</InertText>
        </b>{' '}
        end now, for every member, and you are signed out. Owners are told by letter and can restore it for a
        while; then it is erased with everything it has.
      </p>
    </ConfirmLayer>
  );
}
