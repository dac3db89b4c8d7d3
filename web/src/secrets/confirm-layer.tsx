import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Layer } from '../ui/layer.tsx';
import css from './confirm-layer.module.css';
import { useProvenSending } from './use-proven-sending.tsx';

/** A dialog that says what a change does, asks for a proof where the service wants one, and closes when it is done. */
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
  /** The words on the button, and those while it waits. */
  act: string;
  acting: string;
  change: (fields: FormData) => Promise<void>;
  close: () => void;
  /** For a first step, whose change shows the next one. */
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
