import { Button } from '../../ui/button.tsx';
import { exact, plural } from '../../words/numbers.ts';
import css from './bulk.module.css';
import { setSelected } from './bulk-run.ts';
import { chosenOf } from './chosen-rows.ts';
import { copyValues, saveCsv, saveJson } from './hand-over.ts';
import type { TriageRow } from './triage-view.ts';

export function ExportBar({
  rows,
  shown,
  selected,
  showAll,
}: {
  rows: number;
  shown: readonly TriageRow[];
  selected: ReadonlySet<string>;
  showAll: (() => void) | null;
}) {
  const chosen = chosenOf(shown, selected);
  return (
    <div className={css.exportBar}>
      <p>
        {showAll === null ? (
          plural(rows, 'row')
        ) : (
          <>
            {exact(shown.length)} of {plural(rows, 'row')} shown{' '}
            <Button look="plain" onClick={showAll}>
              Show all
            </Button>
          </>
        )}
        {selected.size > 0 && (
          <>
            , <b>{exact(chosen.length)} selected</b>{' '}
            <Button look="plain" onClick={() => setSelected(new Set())}>
              Clear
            </Button>
          </>
        )}
      </p>
      <span className={css.controls}>
        <Button onClick={() => void copyValues(chosen, 'raw')}>Copy</Button>
        <Button onClick={() => void copyValues(chosen, 'defanged')}>Copy defanged</Button>
        <Button keys="e" onClick={() => saveCsv(chosen)}>
          CSV
        </Button>
        <Button onClick={() => saveJson(chosen)}>JSON</Button>
      </span>
    </div>
  );
}
