import type { ReportSummary } from '@assay/sdk';
import { assay } from '../../service/client.ts';
import { saveFile } from '../../ui/save-file.ts';
import { fileName } from './report-words.ts';

/** The files that the service makes of what was saved about one value. */
export const ENTITY_FORMATS = [
  { format: 'html', title: 'HTML page' },
  { format: 'csv', title: 'CSV' },
  { format: 'json', title: 'JSON' },
] as const;
export type EntityFormat = (typeof ENTITY_FORMATS)[number]['format'];

const TYPES = { html: 'text/html;charset=utf-8', csv: 'text/csv;charset=utf-8', json: 'application/json' };

/** Everything saved about the value of this report; the newest 100. */
export async function downloadEntity(
  { entityType, entityValue }: Pick<ReportSummary, 'entityType' | 'entityValue'>,
  format: EntityFormat,
): Promise<void> {
  const text = await assay.call('postReportsEntityExport', { body: { entityType, entityValue, format } });
  saveFile(text, fileName(`report-${entityType}`, format, Date.now()), TYPES[format]);
}

export async function downloadAll(format: 'csv' | 'json'): Promise<void> {
  const text = await assay.call('getReportsExport', { query: { format } });
  saveFile(text, fileName('reports', format, Date.now()), TYPES[format]);
}
