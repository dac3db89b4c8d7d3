import { announce } from '../../frame/announce.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { saveFile } from '../../ui/save-file.ts';
import { plural } from '../../words/numbers.ts';
import type { Decision } from './decision.ts';
import { fileName, rowsAsCsv, rowsAsJson, rowsAsLines } from './export-rows.ts';
import { firewallList } from './firewall-list.ts';
import { ticketOf } from './ticket.ts';
import type { TriageRow } from './triage-view.ts';

const REFUSED = 'The browser did not allow copying. Save a CSV.';

/** Like the functions below, returns a sentence about the outcome, which screen readers hear too. */
export async function copyFirewallList(rows: readonly TriageRow[]): Promise<string> {
  const { text, count, leftOut } = firewallList(rows);
  if (count === 0) return said('There is no address and no domain to copy.');
  const rest = leftOut === '' ? '' : ` Left out: ${leftOut}.`;
  return said(
    (await copyText(text)) ? `${plural(count, 'value')} copied as a firewall list.${rest}` : REFUSED,
  );
}

export async function copyTicket(
  decision: Decision,
  rows: readonly TriageRow[],
  sum: string,
): Promise<string> {
  const text = ticketOf({ decision, rows, sum, nowMs: Date.now(), defang: await loadDefang() });
  return said((await copyText(text)) ? `${plural(rows.length, 'indicator')} copied as a ticket.` : REFUSED);
}

export async function copyValues(rows: readonly TriageRow[], form: 'raw' | 'defanged'): Promise<string> {
  const text = form === 'raw' ? rowsAsLines(rows) : await defangedLines(rows);
  return said((await copyText(text)) ? `${plural(rows.length, 'indicator')} copied.` : REFUSED);
}

export function saveCsv(rows: readonly TriageRow[], of?: Decision): void {
  saveFile(rowsAsCsv(rows), fileName('csv', Date.now(), of), 'text/csv;charset=utf-8');
  said(`${plural(rows.length, 'row')} saved as CSV.`);
}

export const saveJson = (rows: readonly TriageRow[]): void =>
  saveFile(rowsAsJson(rows), fileName('json', Date.now()), 'application/json');

function said(sentence: string): string {
  announce(sentence);
  return sentence;
}

async function defangedLines(rows: readonly TriageRow[]): Promise<string> {
  const defang = await loadDefang();
  return rows.map(({ row: { entity } }) => `${defang(entity)}\n`).join('');
}

/** The parser holds the public suffix list, so it is loaded when it is needed. */
async function loadDefang(): Promise<(entity: string) => string> {
  const { defang, parseIndicator } = await import('@assay/server/indicator');
  return (entity) => {
    const parsed = parseIndicator(entity);
    return parsed.ok ? defang(parsed.indicator) : entity;
  };
}
