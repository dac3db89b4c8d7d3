import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { useProvenSending } from '../../secrets/use-proven-sending.tsx';
import { assay } from '../../service/client.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Layer } from '../../ui/layer.tsx';
import css from './dialogs.module.css';
import { endsThisSession, type Key, mayKeepDescendants, nameOf, revokeSentences } from './keys-words.ts';

export function RevokeKeyDialog({
  of,
  keys,
  close,
  changed,
}: {
  of: Key;
  keys: readonly Key[];
  close: () => void;
  /** `endsSession`: the session of this page has ended with the key. */
  changed: (endsSession: boolean) => void;
}) {
  const [keeps, setKeeps] = useState(false);
  const { failure, isSending, send, proof } = useProvenSending();
  const revoke = () =>
    send(async () => {
      const query = keeps ? { keepDescendants: 'true' as const } : {};
      await assay.call('deleteUserKeysId', { path: { id: of.id }, query });
      announce('The key is revoked.');
      changed(endsThisSession(keys, of.id));
      close();
    });
  return (
    <Layer title="Revoke the key" close={close}>
      <div className={css.body}>
        <p className={css.sentence}>
          <b>
            <InertText>{nameOf(of)}</InertText>
          </b>{' '}
          <code>{of.apiKey}</code>
        </p>
        <ul className={css.sentences}>
          {revokeSentences(keys, of, keeps).map((sentence) => (
            <li key={sentence}>
              <InertText>{sentence}</InertText>
            </li>
          ))}
        </ul>
        {mayKeepDescendants(keys, of.id) && (
          <label className={css.check}>
            <input type="checkbox" checked={keeps} onChange={({ target }) => setKeeps(target.checked)} />
            <span>
              Keep the keys made in its sessions
              <span className="note"> Only when you are sure that nobody else had this pair.</span>
            </span>
          </label>
        )}
        {failure !== null && <FailureNote failure={failure} />}
        {proof}
        <p className={css.buttons}>
          <Button look="primary" disabled={isSending} onClick={() => void revoke()}>
            {isSending ? 'Revoking' : 'Revoke'}
          </Button>
          <Button onClick={close}>Cancel</Button>
        </p>
      </div>
    </Layer>
  );
}
