import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { type Action, useActions } from '../../frame/actions.ts';
import { go } from '../../navigation/place.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import css from './bulk.module.css';
import { useSelected } from './bulk-run.ts';
import { chosenOf } from './chosen-rows.ts';
import { chosenIn, DecisionGroups } from './decision-groups.tsx';
import { ExportBar } from './export-bar.tsx';
import { Filters } from './filters.tsx';
import { copyFirewallList, copyTicket, saveCsv } from './hand-over.ts';
import { KeptNote } from './kept-note.tsx';
import { RunProgress } from './run-progress.tsx';
import type { Run } from './run-state.ts';
import { sumLine } from './tally.ts';
import { TriageTable } from './triage-table.tsx';
import {
  arrange,
  countDecisions,
  searchOf,
  type TriageRow,
  type TriageView,
  triageRows,
  viewOf,
} from './triage-view.ts';

const NO_FILTER = { groups: new Set<string>(), verdicts: new Set<string>(), types: new Set<string>() };

export function Results({ run }: { run: Run }) {
  const { search } = useShownPlace();
  const selected = useSelected();
  const view = useMemo(() => viewOf(search), [search]);
  const setView = useCallback(
    (next: TriageView): void => go('/bulk', { search: searchOf(next), replace: true, keepsScroll: true }),
    [],
  );
  const rows = useMemo(() => triageRows(run.rows), [run.rows]);
  const arranged = useMemo(() => arrange(rows, view), [rows, view]);
  // Only the table uses the deferred rows: an export or a sentence made of them would miss the newest rows.
  const shown = useDeferredValue(arranged);
  const isFiltered = view.groups.size + view.verdicts.size + view.types.size > 0;
  const sum = useMemo(
    () => sumLine(run.tally, run.entities.length, countDecisions(rows)),
    [run.tally, run.entities, rows],
  );
  const [said, setSaid] = useState('');
  useHandOverKeys(arranged, selected, sum, setSaid);
  return (
    <section className={css.results} aria-label="Results" data-state={run.phase}>
      <RunProgress run={run} />
      <p className={css.sum}>{sum}.</p>
      {rows.length > 0 && (
        <>
          <KeptNote />
          <DecisionGroups {...{ rows, shown: arranged, selected, view, setView, sum }} say={setSaid} />
          <p className={css.said}>{said}</p>
          <Filters rows={rows} view={view} setView={setView} />
          <ExportBar
            rows={rows.length}
            shown={arranged}
            selected={selected}
            showAll={isFiltered ? () => setView({ ...view, ...NO_FILTER }) : null}
          />
          {arranged.length === 0 ? (
            <p className={css.teach}>No row is of these groups, verdicts and types.</p>
          ) : (
            <TriageTable shown={shown} view={view} setView={setView} selected={selected} />
          )}
        </>
      )}
    </section>
  );
}

function useHandOverKeys(
  shown: readonly TriageRow[],
  selected: ReadonlySet<string>,
  sum: string,
  say: (sentence: string) => void,
): void {
  useActions(
    useMemo<readonly Action[]>(() => {
      const toBlock = () => chosenIn('block', shown, selected);
      const group = 'This page';
      return [
        {
          id: 'bulk-csv',
          title: 'Save the rows as CSV',
          group,
          keys: 'e',
          run: () => saveCsv(chosenOf(shown, selected)),
        },
        {
          id: 'bulk-firewall',
          title: 'Copy what is to be blocked as a firewall list',
          group,
          keys: 'f',
          run: () => void copyFirewallList(toBlock()).then(say),
        },
        {
          id: 'bulk-ticket',
          title: 'Copy what is to be blocked as a ticket',
          group,
          keys: 't',
          run: () => void copyTicket('block', toBlock(), sum).then(say),
        },
      ];
    }, [shown, selected, sum, say]),
  );
}
