import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { type Action, useActions } from '../../frame/actions.ts';
import css from './bulk.module.css';
import { useSelected } from './bulk-run.ts';
import { chosenOf } from './chosen-rows.ts';
import { ExportBar, saveCsv } from './export-bar.tsx';
import { Filters } from './filters.tsx';
import { RunProgress } from './run-progress.tsx';
import type { Run } from './run-state.ts';
import { TriageTable } from './triage-table.tsx';
import { arrange, searchOf, type TriageView, triageRows, viewOf } from './triage-view.ts';

export function Results({ run }: { run: Run }) {
  const search = useSearch({ from: '/bulk' });
  const navigate = useNavigate({ from: '/bulk' });
  const selected = useSelected();
  const view = useMemo(() => viewOf(search), [search]);
  const setView = useCallback(
    (next: TriageView): void =>
      void navigate({ to: '/bulk', search: searchOf(next), replace: true, resetScroll: false }),
    [navigate],
  );
  const rows = useMemo(() => triageRows(run.rows), [run.rows]);
  const arranged = useMemo(() => arrange(rows, view), [rows, view]);
  // Only the drawing may lag behind: an export or a sentence from deferred rows would miss the newest ones.
  const shown = useDeferredValue(arranged);
  const isFiltered = view.verdicts.size + view.types.size > 0;
  useActions(
    useMemo<readonly Action[]>(
      () => [
        {
          id: 'bulk-csv',
          title: 'Save the rows as CSV',
          group: 'This page',
          keys: 'e',
          run: () => saveCsv(chosenOf(arranged, selected)),
        },
      ],
      [arranged, selected],
    ),
  );
  return (
    <section className={css.results} aria-label="Results" data-state={run.phase}>
      <RunProgress run={run} />
      {rows.length > 0 && (
        <>
          <Filters rows={rows} view={view} setView={setView} />
          <ExportBar
            rows={rows.length}
            shown={arranged}
            selected={selected}
            showAll={isFiltered ? () => setView({ ...view, verdicts: new Set(), types: new Set() }) : null}
          />
          {arranged.length === 0 ? (
            <p className={css.teach}>No row is of these verdicts and types.</p>
          ) : (
            <TriageTable shown={shown} view={view} setView={setView} selected={selected} />
          )}
        </>
      )}
    </section>
  );
}
