import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { go } from '../../navigation/place.ts';
import { ConfirmLayer } from '../../secrets/confirm-layer.tsx';
import { assay } from '../../service/client.ts';
import { turnTo } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import css from './security.module.css';

export function DeletePanel({ email }: { email: string }) {
  const [open, setOpen] = useState(false);
  const remove = async () => {
    const { restorableUntil } = await assay.call('deleteApiUser', {});
    announce(`Your account is deleted. The operator can restore it until ${restorableUntil.slice(0, 10)}.`);
    await turnTo({ signedIn: false });
    go('/');
  };
  return (
    <Panel
      title="Delete your account"
      note="Keys and sessions end at once, and you leave every organization. The operator can restore the account for a while; then it is erased."
    >
      <p className={css.actions}>
        <Button onClick={() => setOpen(true)}>Delete my account</Button>
      </p>
      {open && (
        <ConfirmLayer
          title="Delete your account"
          act="Delete it"
          acting="Deleting"
          change={remove}
          close={() => setOpen(false)}
        >
          <p>
            The account of <b>{email}</b>, its keys, reports and sessions end now. Programs that use its keys
            are refused within a second.
          </p>
        </ConfirmLayer>
      )}
    </Panel>
  );
}
