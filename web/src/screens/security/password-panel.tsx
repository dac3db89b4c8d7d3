import { useState } from 'react';
import { assay } from '../../service/client.ts';
import { useSending } from '../../service/use-sending.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { queryPanel } from '../../ui/query-panel.ts';
import css from './security.module.css';
import { useUser } from './use-security.ts';

export function PasswordPanel() {
  const user = useUser();
  const [told, setTold] = useState('');
  const { failure, isSending, send } = useSending();
  const ask = (email: string) =>
    void send(async () => setTold((await assay.call('postApiAuthForgot', { body: { email } })).message));
  const { data } = user;
  return (
    <Panel
      title="Password"
      note="A new password is set by the link of a letter. It ends every session, this one too; keys, passkeys and the app stay."
      state={queryPanel(user, 'Asking for your account.')}
      minHeight={110}
    >
      {data !== undefined && (
        <>
          <p className={css.line}>
            {data.hasPassword
              ? `You sign in as ${data.email} with a password.`
              : `You have no password. Set one to sign in as ${data.email}.`}
          </p>
          <p className={css.actions}>
            <Button disabled={isSending} onClick={() => ask(data.email)}>
              {isSending ? 'Asking' : 'Send me the letter'}
            </Button>
          </p>
        </>
      )}
      {failure !== null && <FailureNote failure={failure} />}
      <p role="status" className="note">
        {told}
      </p>
    </Panel>
  );
}
