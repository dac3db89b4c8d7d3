import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { ConfirmLayer } from '../../secrets/confirm-layer.tsx';
import { assay } from '../../service/client.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { queryPanel } from '../../ui/query-panel.ts';
import { AddApp } from './add-app.tsx';
import css from './security.module.css';
import { askSecurityAgain, useFactors } from './use-security.ts';

export function AppPanel({ mayChange }: { mayChange: boolean }) {
  const factors = useFactors();
  const [open, setOpen] = useState<'add' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const hasApp = factors.data?.hasTotp === true;
  return (
    <Panel
      title="Authenticator app"
      note="An app on your phone shows six digits that change every 30 seconds. They are asked for after the password."
      state={queryPanel(factors, 'Asking for your authenticator app.')}
      minHeight={120}
    >
      <p className={css.line}>
        {hasApp ? 'An app is set up, and its codes are asked for.' : 'No app is set up.'}
      </p>
      {mayChange && (
        <p className={css.actions}>
          {hasApp ? (
            <Button onClick={() => setOpen('remove')}>Remove the app</Button>
          ) : (
            <Button look="primary" onClick={() => setOpen('add')}>
              Set up an app
            </Button>
          )}
        </p>
      )}
      {open === 'add' && <AddApp close={close} />}
      {open === 'remove' && <RemoveApp isLast={factors.data?.passkeys.length === 0} close={close} />}
    </Panel>
  );
}

function RemoveApp({ isLast, close }: { isLast: boolean; close: () => void }) {
  const remove = async () => {
    await assay.call('deleteApiAuthTotp', {});
    announce('The authenticator app is removed.');
    await askSecurityAgain();
  };
  return (
    <ConfirmLayer
      title="Remove the authenticator app"
      act="Remove it"
      acting="Removing"
      change={remove}
      close={close}
    >
      <p>Its codes work no more, and you are told by letter.</p>
      {isLast && (
        <p>It is your last second factor: the password alone signs in afterwards, and recovery codes end.</p>
      )}
    </ConfirmLayer>
  );
}
