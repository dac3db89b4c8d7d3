/** OTX writes UTC times without a zone. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

export function utcTime(value: unknown): string | null {
  const found = typeof value === 'string' ? MOMENT.exec(value) : null;
  if (found === null) return null;
  const [text, zone] = found;
  const hasTime = text.length > 10;
  const atMs = Date.parse(hasTime && zone === undefined ? `${text.replace(' ', 'T')}Z` : text);
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}
