import { useQuery } from '@tanstack/react-query';
import { assay } from '../service/client.ts';
import { SESSION_KEY, useSession } from '../service/session.ts';
import { switchAccount } from '../service/switch-account.ts';
import { useSending } from '../service/use-sending.ts';
import { FailureNote } from '../ui/failure-note.tsx';
import { InertText } from '../ui/inert-text.tsx';
import { Layer } from '../ui/layer.tsx';
import { queryPanel } from '../ui/query-panel.ts';
import css from './account-switch.module.css';
import { announce } from './announce.tsx';

/** The accounts of the person: their own, and every organization. */
export function AccountSwitch({ close }: { close: () => void }) {
  const session = useSession();
  const user = useQuery({
    queryKey: [...SESSION_KEY, 'user'],
    queryFn: ({ signal }) => assay.call('getUser', {}, { signal }),
  });
  const { failure, isSending, send } = useSending();
  const current = session.state === 'signed-in' ? session.account.id : null;
  const turn = (id: string, name: string) =>
    void send(async () => {
      await switchAccount(id);
      announce(`You work in ${name} now.`);
      close();
    });
  const state = queryPanel(user, 'Asking for your accounts.');
  const { data } = user;
  const accounts =
    data === undefined
      ? []
      : [{ id: data.id, name: data.email, role: 'Your own account' }, ...data.organizations];
  return (
    <Layer title="Work in another account" close={close}>
      {'what' in state && (
        <p className="note" data-state={state.kind}>
          {state.what}
        </p>
      )}
      <ul className={css.accounts}>
        {accounts.map(({ id, name, role }) => (
          <li key={id}>
            <button
              type="button"
              className={css.account}
              aria-current={id === current ? 'true' : undefined}
              disabled={isSending || id === current}
              onClick={() => turn(id, name)}
            >
              <InertText>{name}</InertText>
              <span className="note">
                {id === current ? 'now' : role.charAt(0) + role.slice(1).toLowerCase()}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data?.organizations.length === 0 && (
        <p className="note">You belong to no organization. Make one on the page Organization.</p>
      )}
      {failure !== null && <FailureNote failure={failure} />}
    </Layer>
  );
}
