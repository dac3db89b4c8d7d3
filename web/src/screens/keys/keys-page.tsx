import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { type Action, useActions } from '../../frame/actions.ts';
import { announce } from '../../frame/announce.tsx';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { assay } from '../../service/client.ts';
import { describeFailure } from '../../service/failure.ts';
import { persistently } from '../../service/persistently.ts';
import { SESSION_KEY, signOut, useSession } from '../../service/session.ts';
import { Boundary } from '../../ui/boundary.tsx';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import css from './keys.module.css';
import { KeysTable } from './keys-table.tsx';
import { type Key, whoseKeys } from './keys-words.ts';

const CreateKeyDialog = lazy(async () => ({
  default: (await persistently(() => import('./create-key-dialog.tsx'))).CreateKeyDialog,
}));
const RotateKeyDialog = lazy(async () => ({
  default: (await persistently(() => import('./rotate-key-dialog.tsx'))).RotateKeyDialog,
}));
const RevokeKeyDialog = lazy(async () => ({
  default: (await persistently(() => import('./revoke-key-dialog.tsx'))).RevokeKeyDialog,
}));

export type OpenDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate' | 'revoke'; readonly key: Key };

export default function KeysPage() {
  useTitle('Keys');
  const session = useSession();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  return (
    <>
      <h1 className={`page-title ${css.title}`}>Keys</h1>
      {session.state === 'loading' && <div className={css.waiting} data-state="loading" aria-busy="true" />}
      {session.state === 'signed-out' && <SignedOut />}
      {session.state === 'signed-in' && (
        // The boundary is around the list only: an error in it must not remove a dialog that shows a secret.
        <Boundary of={session.account.id} failed={ListFailed}>
          <Keys mayWrite={session.role !== 'VIEWER'} whose={whoseKeys(session)} open={setDialog} />
        </Boundary>
      )}
      {/* Outside the list: a secret stays readable when the session ends with the key it belongs to. */}
      <Dialogs dialog={dialog} close={() => setDialog(null)} />
    </>
  );
}

const ListFailed = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <div data-state="error">
    <FailureNote failure={describeFailure(error, Date.now())} retry={retry} />
  </div>
);

const SignedOut = () => (
  <p className={css.lead} data-state="empty">
    <Link to="/sign-in" search={{ next: '/keys' }}>
      Sign in
    </Link>{' '}
    to see and make keys. A key pair is both the credential of a program and the way to sign in here.
  </p>
);

const useKeys = (isAsked = true) =>
  useQuery({
    queryKey: [...SESSION_KEY, 'keys'],
    queryFn: ({ signal }) => assay.call('getUserKeys', {}, { signal }),
    enabled: isAsked,
  });

function Keys({
  mayWrite,
  whose,
  open,
}: {
  mayWrite: boolean;
  whose: string;
  open: (dialog: OpenDialog) => void;
}) {
  const { data, error, refetch } = useKeys();
  useActions(
    useMemo<readonly Action[]>(
      () =>
        mayWrite
          ? [
              {
                id: 'create-key',
                title: 'Create a key',
                group: 'This page',
                keys: 'n',
                run: () => open({ kind: 'create' }),
              },
            ]
          : [],
      [mayWrite, open],
    ),
  );
  if (data === undefined && error !== null) return <ListFailed error={error} retry={() => void refetch()} />;
  if (data === undefined) return <div className={css.waiting} data-state="loading" aria-busy="true" />;
  return (
    <div data-state={error !== null ? 'degraded' : data.keys.length === 0 ? 'empty' : 'ready'}>
      <p className={css.lead}>
        {whose} A program sends one with every request; you sign in here with one.
        {!mayWrite && ' A viewer sees them and cannot change them.'}
      </p>
      {mayWrite && (
        <p className={css.actions}>
          <Button look="primary" keys="n" aria-keyshortcuts="n" onClick={() => open({ kind: 'create' })}>
            Create a key
          </Button>
        </p>
      )}
      {error !== null && (
        <p className={css.old}>
          This is the last list that came; the service has not answered since.{' '}
          <Button look="plain" onClick={() => void refetch()}>
            Ask again
          </Button>
        </p>
      )}
      {data.keys.length === 0 ? (
        <p className={css.old}>No key is in use. Create one to call the API.</p>
      ) : (
        <KeysTable keys={data.keys} mayWrite={mayWrite} open={open} />
      )}
    </div>
  );
}

function Dialogs({ dialog, close }: { dialog: OpenDialog | null; close: () => void }) {
  const { data, refetch } = useKeys(false);
  const endsSession = useRef(false);
  const changed = (ends: boolean) => {
    endsSession.current = ends;
    if (!ends) void refetch();
  };
  // The service has ended the session already; signing out also removes the cookie and the cached data.
  const finish = () => {
    close();
    if (!endsSession.current) return;
    endsSession.current = false;
    void signOut().then(() => announce('You are signed out.'));
  };
  if (dialog === null) return null;
  return (
    <Suspense>
      {dialog.kind === 'create' && <CreateKeyDialog close={finish} changed={() => changed(false)} />}
      {dialog.kind === 'rotate' && <RotateKeyDialog of={dialog.key} close={finish} changed={changed} />}
      {dialog.kind === 'revoke' && (
        <RevokeKeyDialog of={dialog.key} keys={data?.keys ?? []} close={finish} changed={changed} />
      )}
    </Suspense>
  );
}
