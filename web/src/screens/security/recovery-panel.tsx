import { useState } from 'react';
import { ConfirmLayer } from '../../secrets/confirm-layer.tsx';
import { ShownOnceLayer } from '../../secrets/shown-once-layer.tsx';
import { assay } from '../../service/client.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { queryPanel } from '../../ui/query-panel.ts';
import { saveFile } from '../../ui/save-file.ts';
import { plural } from '../../words/numbers.ts';
import { CopyButton } from './copy-button.tsx';
import css from './security.module.css';
import { codesFile } from './security-words.ts';
import { askSecurityAgain, useFactors } from './use-security.ts';

export function RecoveryPanel({ mayChange, email }: { mayChange: boolean; email: string }) {
  const factors = useFactors();
  const [open, setOpen] = useState(false);
  const { data } = factors;
  const hasFactor = data !== undefined && (data.hasTotp || data.passkeys.length > 0);
  return (
    <Panel
      title="Recovery codes"
      note="Ten codes for the day on which the phone or the passkey is gone. Each works once in place of the second factor."
      state={queryPanel(factors, 'Asking for your recovery codes.')}
      minHeight={120}
    >
      <p className={css.line}>
        {data?.recoveryCodesLeft === 0
          ? 'You have none.'
          : `${plural(data?.recoveryCodesLeft ?? 0, 'code')} left.`}
        {!hasFactor && ' They need a passkey or an authenticator app, which they stand in for.'}
      </p>
      {mayChange && hasFactor && (
        <p className={css.actions}>
          <Button onClick={() => setOpen(true)}>
            {data.recoveryCodesLeft === 0 ? 'Make recovery codes' : 'Make new recovery codes'}
          </Button>
        </p>
      )}
      {open && (
        <MakeCodes email={email} hasCodes={(data?.recoveryCodesLeft ?? 0) > 0} close={() => setOpen(false)} />
      )}
    </Panel>
  );
}

function MakeCodes({ email, hasCodes, close }: { email: string; hasCodes: boolean; close: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const make = async () => {
    setCodes((await assay.call('postApiAuthRecoveryCodes', {})).codes);
    await askSecurityAgain();
  };
  if (codes !== null) return <Codes codes={codes} email={email} close={close} />;
  return (
    <ConfirmLayer
      title="Make recovery codes"
      act="Make ten codes"
      acting="Making them"
      change={make}
      staysOpen
      close={close}
    >
      <p>
        {hasCodes ? 'The codes that you have end now. ' : ''}The new ones are shown once. You are told by
        letter that they were made.
      </p>
    </ConfirmLayer>
  );
}

function Codes({ codes, email, close }: { codes: readonly string[]; email: string; close: () => void }) {
  const text = codesFile(codes, location.host, email, new Date().toISOString().slice(0, 10));
  return (
    <ShownOnceLayer
      title="Store the recovery codes now"
      lead="They are shown this once. Keep them where you find them without your phone."
      lost={
        <>
          <b>You will not see these codes again.</b> If they are lost, make new ones while you are signed in.
        </>
      }
      back="Back to the codes"
      close={close}
    >
      <div className={css.paper}>
        <p className={css.onPaper}>
          Recovery codes of {email} for {location.host}. Each works once, in place of the second factor.
        </p>
        <ol className={css.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <p className={css.actions}>
        <CopyButton text={codes.join('\n')} what="Copy all" />
        <Button onClick={() => saveFile(text, 'assay-recovery-codes.txt', 'text/plain')}>Download</Button>
        <Button onClick={() => print()}>Print</Button>
      </p>
    </ShownOnceLayer>
  );
}
