import type { ToldCve } from '#domain/cve/index.ts';

/** Moves every date of a row by the constant of an offline data set; whole days, so that days stay days. */
export function moveDates(told: ToldCve, byMs: number): ToldCve {
  if (byMs === 0) return told;
  const moved = (text: string | null): string | null => (text === null ? null : moveDate(text, byMs));
  const { kev, epss, ssvc } = told;
  return {
    ...told,
    published: moved(told.published),
    modified: moved(told.modified),
    kev:
      kev === null ? null : { ...kev, dateAdded: moveDate(kev.dateAdded, byMs), dueDate: moved(kev.dueDate) },
    epss: epss === null ? null : { ...epss, date: moved(epss.date) },
    ssvc: ssvc === null ? null : { ...ssvc, date: moved(ssvc.date) },
  };
}

function moveDate(text: string, byMs: number): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return text;
  const moved = new Date(ms + byMs).toISOString();
  return text.length === 10 ? moved.slice(0, 10) : moved;
}
