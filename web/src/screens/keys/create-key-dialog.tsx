import type { RevealedApiKey } from '@assay/sdk';
import { useState } from 'react';
import { FirstAnswer } from '../../secrets/first-answer.tsx';
import { RevealLayer } from '../../secrets/reveal-layer.tsx';
import { useProvenSending } from '../../secrets/use-proven-sending.tsx';
import { assay } from '../../service/client.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { fieldOf } from '../../ui/field-of.ts';
import css from './dialogs.module.css';
import { nameOf, readCidrs } from './keys-words.ts';

export function CreateKeyDialog({ close, changed }: { close: () => void; changed: () => void }) {
  const [revealed, setRevealed] = useState<RevealedApiKey | null>(null);
  const { failure, isSending, send, proof } = useProvenSending();
  const submit = (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    void send(async () => {
      const body = {
        label: fieldOf(fields, 'label'),
        allowedCidrs: [...readCidrs(fieldOf(fields, 'cidrs'))],
        canSignIn: fields.get('canSignIn') === 'on',
      };
      setRevealed(await assay.call('postUserKeys', { body }));
      changed();
    });
  };
  return (
    <RevealLayer
      title="Create a key"
      name={revealed === null ? '' : nameOf(revealed)}
      revealed={revealed}
      after={<FirstAnswer />}
      close={close}
    >
      <form className={css.body} onSubmit={submit}>
        <label className={css.label} htmlFor="key-label">
          Name
        </label>
        <input id="key-label" name="label" className={css.field} maxLength={100} autoComplete="off" />
        <p className={`note ${css.hint}`}>What the key is for, such as "firewall" or "mail gateway".</p>
        <label className={css.label} htmlFor="key-cidrs">
          May be used from
        </label>
        <textarea
          id="key-cidrs"
          name="cidrs"
          className={css.area}
          rows={3}
          maxLength={2_500}
          spellCheck={false}
          aria-describedby="key-cidrs-hint"
        />
        <p id="key-cidrs-hint" className={`note ${css.hint}`}>
          Addresses or ranges, one on each line, such as 203.0.113.0/24. Empty: from where the key of this
          session may be used.
        </p>
        <label className={css.check}>
          <input type="checkbox" name="canSignIn" />
          <span>
            May sign in to the dashboard
            <span className="note">
              {' '}
              A pair that may sign in can make more keys. A program does not need it.
            </span>
          </span>
        </label>
        {failure !== null && <FailureNote failure={failure} />}
        {proof}
        <p className={css.buttons}>
          <Button type="submit" look="primary" disabled={isSending}>
            {isSending ? 'Creating' : 'Create'}
          </Button>
          <Button onClick={close}>Cancel</Button>
        </p>
      </form>
    </RevealLayer>
  );
}
