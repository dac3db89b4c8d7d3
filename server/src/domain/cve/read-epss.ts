import { csvTable } from './csv-rows.ts';
import { parseCveId } from './cve-id.ts';
import { dayOf, refusal } from './fields.ts';
import { type CveReading, type CveRefusal, type ToldCve, toldNothing } from './told.ts';

/** The daily file of EPSS: a comment with the day, a header, then cve, epss and percentile. */
export function readEpss(document: string, text: string): CveReading {
  const date = dayOf(/^#.*\bscore_date:([0-9-]{10})/.exec(text)?.[1] ?? null);
  const { header, rows } = csvTable(text);
  const [cveAt, scoreAt] = [header.indexOf('cve'), header.indexOf('epss')];
  const percentileAt = header.indexOf('percentile');
  if (rows.length === 0 || cveAt < 0 || scoreAt < 0) return refusal(document, 'wrong-format');
  const told: ToldCve[] = [];
  const refused: CveRefusal[] = [];
  for (const [at, cells] of rows.entries()) {
    const cveId = parseCveId(cells[cveAt] ?? '');
    const score = shareOf(cells[scoreAt]);
    const percentile = shareOf(cells[percentileAt]);
    if (cveId === null) refused.push({ document: `${document} ${at}`, reason: 'bad-cve-id' });
    else if (score === null) refused.push({ document: `${document} ${at}`, reason: 'bad-number' });
    else told.push({ ...toldNothing(cveId, 'epss', cveId), epss: { score, percentile, date } });
  }
  return { told, refused };
}

function shareOf(text: string | undefined): number | null {
  const share = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return share >= 0 && share <= 1 ? share : null;
}
