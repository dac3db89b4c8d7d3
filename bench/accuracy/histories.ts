import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** Days since the epoch. */
export type Day = number;
export const dayOf = (text: string): Day => Math.floor(Date.parse(text) / 86_400_000);

/** One entry of a list: the day it was first named, and whether it was listed on the asked day. */
export type PastEntry = { readonly value: string; readonly firstDay: Day; readonly isListed: boolean };

/** Before the history begins. */
const UNDATED: Day = 0;

/** Every entry that the list had named until 30 days after the asked day. */
export async function* readHistory(folder: string, list: string, at: Day): AsyncGenerator<PastEntry> {
  for await (const line of linesOf(join(folder, `${list}.tsv.gz`))) {
    const tab = line.indexOf('\t');
    const periods = line.slice(tab + 1).split(',');
    const firstDay = startOf(periods[0] as string);
    const isListed = periods.some((period) => {
      const slash = period.indexOf('/');
      return startOf(period) <= at && (slash === period.length - 1 || dayOf(period.slice(slash + 1)) > at);
    });
    yield { value: line.slice(0, tab), firstDay, isListed };
  }
}

const startOf = (period: string): Day => {
  const from = period.slice(0, period.indexOf('/'));
  return from === '' ? UNDATED : dayOf(from);
};

export function linesOf(path: string): AsyncIterable<string> {
  const file = createReadStream(path);
  return createInterface({ input: path.endsWith('.gz') ? file.pipe(createGunzip()) : file });
}
