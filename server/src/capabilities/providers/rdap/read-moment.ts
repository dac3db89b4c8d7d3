/** Registries write dates in a dozen formats. An ambiguous date is not read. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** No registration is older than the first .com, and none is paid for longer than a hundred years. */
const YEAR_MIN = 1_985;
const YEAR_MAX = 2_150;
const TEXT_MAX = 64;
const MINUTE_MS = 60_000;

const TIME = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?`;
const ZONE = String.raw` ?\(?(Z|UTC|GMT|JST|KST|[+-]\d{2}(?::?\d{2})?)?\)?`;
const YEAR_FIRST = new RegExp(
  String.raw`^(\d{4})(?:([-./])(\d{1,2})\2(\d{1,2})|\. (\d{2})\. (\d{2})\.)${TIME}${ZONE}$`,
  'i',
);
const DIGITS_ONLY = /^(\d{4})(\d{2})(\d{2})$/;
const DAY_FIRST = new RegExp(String.raw`^(\d{1,2})\.(\d{1,2})\.(\d{4})${TIME}${ZONE}$`, 'i');
const NAMED_MONTH = new RegExp(
  String.raw`^(?:[a-z]{3},? )?(\d{1,2})[- .]([a-z]{3})[a-z]{0,6}[- .,]+(\d{4})${TIME}${ZONE}$`,
  'i',
);
const YEAR_LAST = /^[a-z]{3} ([a-z]{3}) {1,2}(\d{1,2}) (\d{1,2}):(\d{2}):(\d{2}) (?:GMT|UTC) (\d{4})$/i;

type Parts = readonly (string | undefined)[];

/** RFC 3339 with milliseconds, or null. A date without a time is 00:00 UTC. */
export function readMoment(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text.length > TEXT_MAX) return null;
  return (
    match(YEAR_FIRST, text, ([, y, , m, d, m2, d2, ...time]) => moment(y, m ?? m2, d ?? d2, time)) ??
    match(DIGITS_ONLY, text, ([, y, m, d]) => moment(y, m, d, [])) ??
    match(DAY_FIRST, text, ([, d, m, y, ...time]) => moment(y, m, d, time)) ??
    match(NAMED_MONTH, text, ([, d, m, y, ...time]) => moment(y, monthOf(m), d, time)) ??
    match(YEAR_LAST, text, ([, m, d, hour, minute, second, y]) =>
      moment(y, monthOf(m), d, [hour, minute, second]),
    )
  );
}

function match(pattern: RegExp, text: string, read: (parts: Parts) => string | null): string | null {
  const found = pattern.exec(text);
  return found === null ? null : read(found);
}

const monthOf = (name: string | undefined): string => String(MONTHS.indexOf((name ?? '').toLowerCase()) + 1);

function moment(
  y: string | undefined,
  m: string | undefined,
  d: string | undefined,
  [hour = '0', minute = '0', second = '0', zone = 'Z']: Parts,
): string | null {
  const [year, month, day] = [Number(y), Number(m), Number(d)];
  if (year < YEAR_MIN || year > YEAR_MAX || month < 1 || month > 12) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  const dayMs = Date.UTC(year, month - 1, day);
  // Refuses 31 April, which Date would turn into 1 May.
  if (new Date(dayMs).getUTCDate() !== day) return null;
  const atMs = Date.UTC(year, month - 1, day, Number(hour), Number(minute), Number(second));
  return new Date(atMs - offsetMinutes(zone) * MINUTE_MS).toISOString();
}

function offsetMinutes(zone: string): number {
  const upper = zone.toUpperCase();
  if (upper === 'JST' || upper === 'KST') return 540;
  const numeric = /^([+-])(\d{2}):?(\d{2})?$/.exec(upper);
  if (numeric === null) return 0;
  const [, sign, hours = '0', minutes = '0'] = numeric;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
