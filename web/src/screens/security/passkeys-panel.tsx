import type { Passkey } from '@assay/sdk';
import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { ConfirmLayer } from '../../secrets/confirm-layer.tsx';
import { createPasskey, whyNoPasskeys } from '../../secrets/passkeys.ts';
import { assay } from '../../service/client.ts';
import { Button } from '../../ui/button.tsx';
import { fieldOf } from '../../ui/field-of.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Panel } from '../../ui/panel.tsx';
import { queryPanel } from '../../ui/query-panel.ts';
import table from '../../ui/stacked-table.module.css';
import css from './security.module.css';
import { askSecurityAgain, useFactors } from './use-security.ts';

type Open = 'add' | Passkey | null;

export function PasskeysPanel({ mayChange }: { mayChange: boolean }) {
  const factors = useFactors();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const passkeys = factors.data?.passkeys ?? [];
  const whyNot = whyNoPasskeys();
  return (
    <Panel
      title="Passkeys"
      note="A passkey signs in alone: your device asks for a finger, a face or its PIN, and no password is typed."
      state={queryPanel(factors, 'Asking for your passkeys.')}
      minHeight={150}
    >
      {passkeys.length === 0 ? (
        <p className={css.line}>You have no passkey.</p>
      ) : (
        <PasskeyTable passkeys={passkeys} remove={mayChange ? setOpen : null} />
      )}
      {whyNot !== null && <p className={css.reason}>No passkey can be added or used here. {whyNot}</p>}
      {mayChange && whyNot === null && (
        <p className={css.actions}>
          <Button look="primary" onClick={() => setOpen('add')}>
            Add a passkey
          </Button>
        </p>
      )}
      {open === 'add' && <AddPasskey close={close} />}
      {open !== null && open !== 'add' && (
        <RemovePasskey of={open} isLast={isLast(factors.data)} close={close} />
      )}
    </Panel>
  );
}

/** True when this passkey is the last second factor, whose removal also ends the recovery codes. */
const isLast = (data: ReturnType<typeof useFactors>['data']): boolean =>
  data !== undefined && data.passkeys.length === 1 && !data.hasTotp;

const PasskeyTable = ({
  passkeys,
  remove,
}: {
  passkeys: readonly Passkey[];
  remove: ((of: Passkey) => void) | null;
}) => (
  <table className={table.table} aria-label="Passkeys">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Added</th>
        <th scope="col">Last used</th>
        {remove !== null && (
          <th scope="col">
            <span className="visually-hidden">Change</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {passkeys.map((passkey) => (
        <tr key={passkey.id}>
          <th scope="row">
            <InertText>{passkey.label}</InertText>
            <p className="note">{passkey.isSynced ? 'On several of your devices.' : 'On one device.'}</p>
          </th>
          <td>
            <span className={table.narrow}>Added </span>
            <Moment at={passkey.createdAt} />
          </td>
          <td>
            <span className={table.narrow}>Last used </span>
            {passkey.lastUsedAt === null ? 'never' : <Moment at={passkey.lastUsedAt} />}
          </td>
          {remove !== null && (
            <td className={table.act}>
              <Button aria-label={`Remove ${passkey.label}`} onClick={() => remove(passkey)}>
                Remove
              </Button>
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

function AddPasskey({ close }: { close: () => void }) {
  const add = async (fields: FormData) => {
    const label = fieldOf(fields, 'label');
    const passkey = await createPasskey();
    await assay.call('postApiAuthPasskeys', { body: { passkey, ...(label !== '' && { label }) } });
    announce('The passkey is added.');
    await askSecurityAgain();
  };
  return (
    <ConfirmLayer
      title="Add a passkey"
      act="Add it"
      acting="Waiting for the device"
      change={add}
      close={close}
    >
      <label htmlFor="passkey-label">Name</label>
      <input id="passkey-label" name="label" maxLength={60} autoComplete="off" />
      <p className="note">
        How you will recognize it, such as "laptop". You are told by letter that it was added.
      </p>
    </ConfirmLayer>
  );
}

function RemovePasskey({ of, isLast, close }: { of: Passkey; isLast: boolean; close: () => void }) {
  const remove = async () => {
    await assay.call('deleteApiAuthPasskeysId', { path: { id: of.id } });
    announce('The passkey is removed.');
    await askSecurityAgain();
  };
  return (
    <ConfirmLayer title="Remove the passkey" act="Remove it" acting="Removing" change={remove} close={close}>
      <p>
        <b>
          <InertText>{of.label}</InertText>
        </b>{' '}
        signs in no more. Delete it on the device too, or the device goes on offering it.
      </p>
      {isLast && (
        <p>It is your last second factor: the password alone signs in afterwards, and recovery codes end.</p>
      )}
    </ConfirmLayer>
  );
}
