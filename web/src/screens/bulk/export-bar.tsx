import { announce } from '../../frame/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { exact, plural } from '../../words/numbers.ts';
import css from './bulk.module.css';
import { setSelected } from './bulk-run.ts';
import { chosenOf } from './chosen-rows.ts';
import { fileName, rowsAsCsv, rowsAsJson, rowsAsLines } from './export-rows.ts';
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
        <Button onClick={() => void copy(chosen, 'raw')}>Copy</Button>
        <Button onClick={() => void copy(chosen, 'defanged')}>Copy defanged</Button>
        <Button keys="e" onClick={() => saveCsv(chosen)}>
          CSV
        </Button>
        <Button onClick={() => save(rowsAsJson(chosen), fileName('json', Date.now()), 'application/json')}>
          JSON
        </Button>
      </span>
    </div>
  );
}

export function saveCsv(rows: readonly TriageRow[]): void {
  save(rowsAsCsv(rows), fileName('csv', Date.now()), 'text/csv;charset=utf-8');
  announce(`${plural(rows.length, 'row')} saved as CSV.`);
}

async function copy(rows: readonly TriageRow[], form: 'raw' | 'defanged'): Promise<void> {
  const text = form === 'raw' ? rowsAsLines(rows) : await defanged(rows);
  const isCopied = await copyText(text);
  announce(
    isCopied
      ? `${plural(rows.length, 'indicator')} copied.`
      : 'The browser did not allow copying. Save a CSV.',
  );
}

async function defanged(rows: readonly TriageRow[]): Promise<string> {
  const { defang, parseIndicator } = await import('@assay/server/indicator');
  return rows
    .map(({ row: { entity } }) => {
      const parsed = parseIndicator(entity);
      return `${parsed.ok ? defang(parsed.indicator) : entity}\n`;
    })
    .join('');
}

function save(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // By then the browser has started the download and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
