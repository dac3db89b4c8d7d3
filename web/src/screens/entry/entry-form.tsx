import type { ReactNode } from 'react';
import type { Failure } from '../../service/failure.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import css from './entry.module.css';

export function EntryForm({
  send,
  isSending,
  failure,
  act,
  acting,
  children,
  after,
}: {
  /** Sends the form. `empty` clears the fields, because the form stays on the screen until the next page has loaded. */
  send: (fields: FormData, empty: () => void) => void;
  isSending: boolean;
  failure: Failure | null;
  /** The words on the button; `acting` are those while the request is under way. */
  act: string;
  acting: string;
  children: ReactNode;
  after?: ReactNode;
}) {
  const submit = (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    send(new FormData(form), () => form.reset());
  };
  return (
    <form onSubmit={submit} className={css.form} data-state={isSending ? 'sending' : 'ready'}>
      {children}
      {failure !== null && <FailureNote failure={failure} />}
      <p className={css.send}>
        <Button type="submit" look="primary" disabled={isSending}>
          {isSending ? acting : act}
        </Button>
      </p>
      {after}
    </form>
  );
}
