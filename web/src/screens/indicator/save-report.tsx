import { useEffect, useMemo, useRef, useState } from 'react';
import { type Action, useActions } from '../../frame/actions.ts';
import { announce } from '../../frame/announce.tsx';
import { Link } from '../../navigation/link.tsx';
import { usePlace } from '../../navigation/place.ts';
import { assay } from '../../service/client.ts';
import { describeFailure, type Failure } from '../../service/failure.ts';
import { useSession } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import type { CheckState } from './check-state.ts';
import css from './copy-actions.module.css';
import save from './save-report.module.css';

/** The button that saves the finished check as a report of the account; signed out, a link to sign in. */
export function SaveReport({ state }: { state: CheckState }) {
  const session = useSession();
  const { path } = usePlace();
  if (session.state === 'signed-out')
    return (
      <Link to="/sign-in" search={{ next: path }} className={save.signIn}>
        Sign in to save a report
      </Link>
    );
  // Drawn invisibly while the session is unknown, so that nothing moves when it appears.
  return <SaveButton state={state} isOffered={session.state === 'signed-in'} />;
}

type Saving =
  | { readonly kind: 'idle' | 'early' | 'sending' }
  | { readonly kind: 'saved'; readonly id: string }
  | { readonly kind: 'failed'; readonly failure: Failure };
const IDLE: Saving = { kind: 'idle' };

function SaveButton({ state, isOffered }: { state: CheckState; isOffered: boolean }) {
  const { saving, run } = useSave(state);
  useActions(
    useMemo<readonly Action[]>(
      () =>
        isOffered ? [{ id: 'save-report', title: 'Save report', group: 'This page', keys: 's', run }] : [],
      [isOffered, run],
    ),
  );
  return (
    <>
      <span className={isOffered ? undefined : save.reserved}>
        <Button keys="s" aria-keyshortcuts="s" disabled={saving.kind === 'sending'} onClick={run}>
          Save report
        </Button>
      </span>
      {saving.kind === 'early' && (
        <span className={css.note}>A report is saved when the check has finished.</span>
      )}
      {saving.kind === 'saved' && (
        <span className={css.note}>
          Saved in <Link to="/reports">Reports</Link>: <Link to={`/reports/${saving.id}`}>open it</Link>
        </span>
      )}
      {saving.kind === 'failed' && (
        <div className={css.failed}>
          <FailureNote failure={saving.failure} retry={run} />
        </div>
      )}
    </>
  );
}

function useSave(state: CheckState): { readonly saving: Saving; readonly run: () => void } {
  const [saving, setSaving] = useState<Saving>(IDLE);
  // The action reads the state from a ref, so that it stays the same object while phases arrive.
  const latest = useRef({ state, saving });
  latest.current = { state, saving };
  const { startedMs } = state;
  // "Check again" starts another check, whose answer may be saved too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the start of the check triggers the effect and is not read in it.
  useEffect(() => setSaving(IDLE), [startedMs]);
  const run = useMemo(
    () => async () => {
      const { state: shown, saving: before } = latest.current;
      if (before.kind === 'sending' || before.kind === 'saved') return;
      if (shown.end.kind !== 'done') return setSaving({ kind: 'early' });
      setSaving({ kind: 'sending' });
      try {
        const { assembleResult } = await import('./assemble.ts');
        const body = { entity: shown.target.value, result: { ...assembleResult(shown) } };
        const { report } = await assay.call('postReportsSave', { body });
        setSaving({ kind: 'saved', id: report.id });
        announce('Saved in Reports.');
      } catch (error) {
        setSaving({ kind: 'failed', failure: describeFailure(error, Date.now()) });
      }
    },
    [],
  );
  return { saving, run: useMemo(() => () => void run(), [run]) };
}
