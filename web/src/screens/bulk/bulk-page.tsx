import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Action, useActions } from '../../frame/actions.ts';
import { announce } from '../../frame/announce.tsx';
import { useTitle } from '../../frame/title.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { type Session, useSession } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import { exact, plural } from '../../words/numbers.ts';
import css from './bulk.module.css';
import { runner, useRun } from './bulk-run.ts';
import type { SentKind } from './preview.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { Results } from './results.tsx';
import { RunBar } from './run-bar.tsx';
import { hasKeptRun, restoreRun, startRun } from './run-memory.ts';
import { type Allowance, planOf } from './run-plan.ts';
import { isUnderWay, type Run } from './run-state.ts';
import { sumLine } from './tally.ts';
import { TextInput } from './text-input.tsx';
import { takeHandedText, useTextState } from './text-store.ts';
import { countDecisions, triageRows } from './triage-view.ts';

/** E-mail addresses are personal data: they are sent only when the reader ticks them. */
const LEFT_OUT: ReadonlySet<SentKind> = new Set(['email']);

export default function BulkPage() {
  const run = useRun();
  const text = useTextState();
  const session = useSession();
  const handed = useHandedText();
  const [leftOut, setLeftOut] = useState(LEFT_OUT);
  const hasRun = run.phase !== 'idle';
  const isRestoring = useRestoredRun(session, () => setInputOpen(false));
  const [isInputOpen, setInputOpen] = useState(!hasRun);
  const plan = useMemo(() => planOf(text.preview, leftOut), [text.preview, leftOut]);
  const allowance = allowanceOf(session);
  const { cap } = allowance;
  const account = accountOf(session);
  const start = useCallback((): void => {
    if (cap === null || account === null || plan.entities.length === 0) return;
    startRun(plan, cap, account);
    setInputOpen(false);
  }, [cap, account, plan]);
  useTitle(...titleOf(run));
  useOutcome(run);
  useActions(
    useMemo<readonly Action[]>(
      () =>
        isUnderWay(run) || cap === null
          ? []
          : [{ id: 'bulk-run', title: 'Run this list', group: 'This page', keys: 'Mod+enter', run: start }],
      [run, cap, start],
    ),
  );
  // A list handed over by another page is shown before it runs.
  useEffect(() => {
    if (handed > 0) setInputOpen(true);
  }, [handed]);
  return (
    <div className={css.page}>
      <h1 className="page-title">Bulk triage</h1>
      {isRestoring ? (
        <p className={css.folded} data-state="loading">
          Reading the rows that this tab kept.
        </p>
      ) : isInputOpen || !hasRun ? (
        <>
          <div className={css.sides}>
            <TextInput handed={handed} />
            <PreviewPanel
              text={text}
              leftOut={leftOut}
              toggle={(kind) => setLeftOut((before) => toggledKind(before, kind))}
            />
          </div>
          {!isUnderWay(run) && (
            <RunBar
              plan={plan}
              state={session.state}
              allowance={allowance}
              isReading={text.isReading}
              hasRows={run.rows.length > 0}
              start={start}
            />
          )}
        </>
      ) : (
        <p className={css.folded}>
          {plural(run.entities.length, 'indicator')} from your text.{' '}
          <Button look="plain" onClick={() => setInputOpen(true)}>
            Show the text
          </Button>
        </p>
      )}
      {hasRun && <Results run={run} />}
    </div>
  );
}

function useHandedText(): number {
  const { key: place } = useShownPlace();
  const [handed, setHanded] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation to this page may bring a text.
  useEffect(() => {
    if (takeHandedText()) setHanded((count) => count + 1);
  }, [place]);
  return handed;
}

/** Restores the run of a page that was left or reloaded, without a charge. True while its rows are being read. */
function useRestoredRun(session: Session, onSameText: () => void): boolean {
  const [isRestoring, setRestoring] = useState(() => hasKeptRun() && runner.run().phase === 'idle');
  const account = accountOf(session);
  const cap = session.state === 'signed-in' ? session.bulkEntitiesMax : 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each person who is signed in.
  useEffect(() => {
    if (session.state === 'loading') return;
    if (account === null) return setRestoring(false);
    void restoreRun(account, cap).then((isSameText) => {
      if (isSameText) onSameText();
      setRestoring(false);
    });
  }, [account, session.state]);
  return isRestoring;
}

const accountOf = (session: Session): string | null =>
  session.state === 'signed-in' ? `${session.account.userId} ${session.organization?.id ?? ''}` : null;

/** Announced once, at the end: the rows are too many for a screen reader to read as they arrive. */
function useOutcome(run: Run): void {
  const { phase } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of phase is announced, not each row.
  useEffect(() => {
    if (phase === 'done') announce(outcomeOf(run));
    if (phase === 'failed') announce(`Stopped: ${run.failure?.title ?? 'the service did not answer'}.`);
  }, [phase]);
}

const outcomeOf = ({ rows, tally, entities }: Run): string =>
  `${sumLine(tally, entities.length, countDecisions(triageRows(rows)))}.`;

/** How many entities one request may hold and how many checks are left; both are unknown while signed out. */
const allowanceOf = (session: Session): Allowance =>
  session.state === 'signed-in'
    ? {
        cap: session.bulkEntitiesMax,
        left: Math.max(0, session.usage.limit - session.usage.used),
      }
    : { cap: null, left: null };

const titleOf = (run: Run): readonly string[] =>
  isUnderWay(run)
    ? [`${exact(run.answered)} of ${exact(run.entities.length)}`, 'Bulk triage']
    : ['Bulk triage'];

function toggledKind(kinds: ReadonlySet<SentKind>, kind: SentKind): ReadonlySet<SentKind> {
  const next = new Set(kinds);
  if (!next.delete(kind)) next.add(kind);
  return next;
}
