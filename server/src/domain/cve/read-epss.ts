import { csvRecords } from './csv-rows.ts';
import { parseCveId } from './cve-id.ts';
import { dayOf, refusal } from './fields.ts';
import { type CveReading, type CveRefusal, type ToldCve, toldNothing } from './told.ts';

/** The daily file of EPSS: a comment with the day, a header, then cve, epss and percentile. */
export function readEpss(document: string, text: string): CveReading {
  const date = dayOf(/^#.*\bscore_date:([0-9-]{10})/.exec(text)?.[1] ?? null);
  const records = csvRecords(text);
  if (records[0]?.has('epss') !== true || !records[0].has('cve')) return refusal(document, 'wrong-format');
  const told: ToldCve[] = [];
  const refused: CveRefusal[] = [];
  for (const [at, record] of records.entries()) {
    const cveId = parseCveId(record.get('cve') ?? '');
    const score = shareOf(record.get('epss'));
    const percentile = shareOf(record.get('percentile'));
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
