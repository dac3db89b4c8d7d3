import type { ListedOrganization } from '@assay/sdk';
import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { ConfirmLayer } from '../../secrets/confirm-layer.tsx';
import { assay } from '../../service/client.ts';
import { switchAccount } from '../../service/switch-account.ts';
import { useSending } from '../../service/use-sending.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Panel } from '../../ui/panel.tsx';
import { queryPanel } from '../../ui/query-panel.ts';
import table from '../../ui/stacked-table.module.css';
import { NameOrganization } from './name-organization.tsx';
import css from './organization.module.css';
import { roleWord } from './organization-words.ts';
import { askOrganizationAgain, useOrganizations } from './use-organization.ts';

/** All organizations of the person, and the one that this session works for. */
export function OrganizationsPanel({ current }: { current: string | null }) {
  const asked = useOrganizations();
  const [open, setOpen] = useState<'create' | ListedOrganization | null>(null);
  const { failure, isSending, send } = useSending();
  const organizations = asked.data?.organizations ?? [];
  const turn = ({ id, name }: ListedOrganization) =>
    void send(async () => {
      await switchAccount(id);
      announce(`You work in ${name} now.`);
    });
  return (
    <Panel
      title="Your organizations"
      note="An organization is an account of its own, with a plan, keys and a month of its own. You work in one account at a time."
      state={queryPanel(asked, 'Asking for your organizations.')}
      minHeight={160}
    >
      {organizations.length === 0 ? (
        <p className={css.line} data-state="empty">
          You belong to none. Make one, or open the link of an invitation.
        </p>
      ) : (
        <table className={table.table} aria-label="Your organizations">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Your role</th>
              <th scope="col">Made</th>
              <th scope="col">
                <span className="visually-hidden">Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {organizations.map((organization) => (
              <OrganizationRow
                key={organization.id}
                of={organization}
                isCurrent={organization.id === current}
                isSending={isSending}
                turn={turn}
                restore={setOpen}
              />
            ))}
          </tbody>
        </table>
      )}
      {failure !== null && <FailureNote failure={failure} />}
      <p className={css.actions}>
        <Button look={organizations.length === 0 ? 'primary' : 'normal'} onClick={() => setOpen('create')}>
          Make an organization
        </Button>
      </p>
      {open === 'create' && <NameOrganization close={() => setOpen(null)} />}
      {open !== null && open !== 'create' && <Restore of={open} close={() => setOpen(null)} />}
    </Panel>
  );
}

function OrganizationRow({
  of,
  isCurrent,
  isSending,
  turn,
  restore,
}: {
  of: ListedOrganization;
  isCurrent: boolean;
  isSending: boolean;
  turn: (of: ListedOrganization) => void;
  restore: (of: ListedOrganization) => void;
}) {
  return (
    <tr>
      <th scope="row">
        <InertText>{of.name}</InertText>
        {isCurrent && <p className="note">You work in it now.</p>}
        {of.deletedAt !== null && (
          <p className="note">
            Deleted <Moment at={of.deletedAt} />
            {of.restorableUntil !== null && (
              <>
                ; erased <Moment at={of.restorableUntil} />
              </>
            )}
            .
          </p>
        )}
      </th>
      <td>{roleWord(of.role)}</td>
      <td>
        <span className={table.narrow}>Made </span>
        <Moment at={of.createdAt} form="date" />
      </td>
      <td className={table.act}>
        {of.deletedAt !== null && (
          <Button aria-label={`Restore ${of.name}`} onClick={() => restore(of)}>
            Restore
          </Button>
        )}
        {of.deletedAt === null && !isCurrent && (
          <Button aria-label={`Switch to ${of.name}`} disabled={isSending} onClick={() => turn(of)}>
            Switch
          </Button>
        )}
      </td>
    </tr>
  );
}

function Restore({ of, close }: { of: ListedOrganization; close: () => void }) {
  const restore = async () => {
    await assay.call('postApiOrganizationRestore', { body: { organizationId: of.id } });
    announce('The organization is restored.');
    await askOrganizationAgain();
  };
  return (
    <ConfirmLayer
      title="Restore the organization"
      act="Restore it"
      acting="Restoring"
      change={restore}
      close={close}
    >
      <p>
        <b>
          <InertText>{of.name}</InertText>
        </b>{' '}
        and its keys work again. Members sign in again.
      </p>
    </ConfirmLayer>
  );
}
