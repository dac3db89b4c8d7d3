/** A timestamp of TAXII or STIX. Keys sort as text in the order of time, to the last digit. */
export type Instant = { readonly key: string; readonly digits: number };

const FORM = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?Z$/;

/** Reads RFC 3339 in UTC; null for every other text, also for days that no calendar has. */
export function readInstant(value: unknown): Instant | null {
  if (typeof value !== 'string') return null;
  const parts = FORM.exec(value);
  if (parts === null) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return null;
  // RFC 3339 allows leap seconds.
  if (hour > 23 || minute > 59 || second > 60) return null;
  const fraction = parts[7] ?? '';
  return { key: `${value.slice(0, 19)}.${fraction.padEnd(12, '0')}`, digits: fraction.length };
}

const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
