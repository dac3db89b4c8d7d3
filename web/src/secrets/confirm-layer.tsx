import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Layer } from '../ui/layer.tsx';
import css from './confirm-layer.module.css';
import { useProvenSending } from './use-proven-sending.tsx';

/** A dialog that explains a change, asks for a proof of identity if the service wants one, and closes when done. */
export function ConfirmLayer({
  title,
  act,
  acting,
  change,
  close,
  staysOpen = false,
  children,
}: {
  title: string;
  /** The words on the button; `acting` are those while the request is under way. */
  act: string;
  acting: string;
  change: (fields: FormData) => Promise<void>;
  close: () => void;
  /** Does not close after the change, for a first step that another dialog continues. */
  staysOpen?: boolean;
  children: ReactNode;
}) {
  const { failure, isSending, send, proof } = useProvenSending();
  const submit = (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    void send(async () => {
      await change(fields);
      if (!staysOpen) close();
    });
  };
  return (
    <Layer title={title} close={close}>
      <form className={css.body} onSubmit={submit}>
        {children}
        {failure !== null && <FailureNote failure={failure} />}
        {proof}
        <p className={css.buttons}>
          <Button type="submit" look="primary" disabled={isSending}>
            {isSending ? acting : act}
          </Button>
          <Button onClick={close}>Cancel</Button>
        </p>
      </form>
    </Layer>
  );
}
