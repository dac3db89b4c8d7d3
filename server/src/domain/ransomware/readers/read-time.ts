const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?)?(?:Z|\+00:00)?$/;
const YEAR_MIN = 2010;
const YEAR_MAX = 2100;

/** Reads the forms in which trackers write times, as UTC, with or without a time of day; null for anything else. */
export function readTimeMs(value: unknown): number | null {
  const parts = typeof value === 'string' ? TIME.exec(value.trim()) : null;
  if (parts === null) return null;
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '.0'] =
    parts;
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4).padEnd(4, '0')}Z`;
  const atMs = Date.parse(text);
  const isRead = !Number.isNaN(atMs) && new Date(atMs).toISOString() === text;
  return isRead && Number(year) >= YEAR_MIN && Number(year) <= YEAR_MAX ? atMs : null;
}
