import type { NewTotp } from '@assay/sdk';
import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { ConfirmLayer } from '../../secrets/confirm-layer.tsx';
import { assay } from '../../service/client.ts';
import { fieldOf } from '../../ui/field-of.ts';
import { CopyButton } from './copy-button.tsx';
import { QrPicture } from './qr-picture.tsx';
import css from './security.module.css';
import { inGroups } from './security-words.ts';
import { askSecurityAgain } from './use-security.ts';

/** Two steps in one dialog: the secret goes into the app, then its first code comes back. */
export function AddApp({ close }: { close: () => void }) {
  const [made, setMade] = useState<NewTotp | null>(null);
  if (made !== null) return <FirstCode made={made} close={close} />;
  return <Begin close={close} begun={setMade} />;
}

function Begin({ close, begun }: { close: () => void; begun: (made: NewTotp) => void }) {
  // Not closed after the change (`staysOpen`), because the next step replaces this dialog.
  return (
    <ConfirmLayer
      title="Set up an authenticator app"
      act="Show the secret"
      acting="Asking"
      change={async () => begun(await assay.call('postApiAuthTotp', {}))}
      staysOpen
      close={close}
    >
      <p>
        You need an app for codes by time (TOTP), such as the one in your password manager. It gets a secret
        of this account, which is shown once, and then shows codes without a network.
      </p>
    </ConfirmLayer>
  );
}

function FirstCode({ made: { secret, uri }, close }: { made: NewTotp; close: () => void }) {
  const confirm = async (fields: FormData) => {
    await assay.call('postApiAuthTotpConfirm', { body: { code: fieldOf(fields, 'code') } });
    announce('The authenticator app is set up.');
    await askSecurityAgain();
  };
  return (
    <ConfirmLayer title="Scan and confirm" act="Confirm" acting="Confirming" change={confirm} close={close}>
      <p>Scan this with the app, or type the secret into it.</p>
      <div className={css.scan}>
        <QrPicture text={uri} label="QR code with the secret for the app" />
        <div>
          <p className="note">Secret</p>
          <p className={css.secret}>
            <code>{inGroups(secret)}</code>
          </p>
          <CopyButton text={secret} what="Copy the secret" />
        </div>
      </div>
      <label htmlFor="first-code">The code that the app shows now</label>
      <input
        id="first-code"
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        required
        // Takes the focus, which was in the previous dialog.
        ref={(field) => field?.focus()}
      />
      <p className="note">The app counts from the first right code on. Without one, nothing changes.</p>
    </ConfirmLayer>
  );
}
