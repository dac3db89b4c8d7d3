import type { Sink } from './format.ts';

/** Only the first 300 lines are searched for a date; longer headers have given it by then. */
const HEADER_LINES_MAX = 300;
const HEADER_CHARS_MAX = 200;
const YEAR_MIN = 2000;
const YEAR_MAX = 2100;
const MINUTE_MS = 60_000;

/** `# Last modified: ...`, `! Updated: ...`, `; Last Updated ...`. The key is exact: `Next update:` is not one. */
const HEADER =
  /^[\s#!;/*]*(?:(?:this |source )?file date|(?:list |release )?date|last[ -]?modified|(?:last )?(?:update|change)d?|modified|generated|time ?stamp|(version|serial))(?: (?:on|at))?\s*[:=]\s*(\S.*)$/i;
const NUMERIC =
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:(?:[T ]|\s*,\s*| at )(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*(.*))?$/;
/** `20260822`, followed by a time or a running number; `2026.0822.1811`. */
const COMPACT = /^(\d{4})\.?(\d{2})(\d{2})(?:[.T_-]?(\d{2})(\d{2})(?:\.?(\d{2}))?Z?|[.T_-]?\d{0,3})$/;
/** `Sat Aug 22 06:00:23 UTC 2026`. */
const UNIX_DATE =
  /^(?:[a-z]{3,9},? )?([a-z]{3,9}) +(\d{1,2}),? (\d{1,2}):(\d{2})(?::(\d{2}))?(?: ([a-z]{1,5}))? (\d{4})$/i;
/** `Sat, 22 Aug 2026 03:00:29 +0200`, `20 August 2026 14:01:15 (UTC)`. */
const MAIL_DATE =
  /^(?:[a-z]{3,9},? )?(\d{1,2})[ -]([a-z]{3,9})[ -](\d{4})(?:,? (\d{1,2}):(\d{2})(?::(\d{2}))?\s*(.*))?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const OFFSET = /^(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})$/;
/** Hours east of Greenwich, for the time zones that lists use. */
const ZONES: Readonly<Record<string, number>> = {
  '': 0,
  Z: 0,
  UTC: 0,
  GMT: 0,
  CET: 1,
  CEST: 2,
  EST: -5,
  EDT: -4,
  PST: -8,
  PDT: -7,
};
const EPOCH = /^\d{10}(?:\d{3})?(?:\.\d{1,6})?$/;

type Clock = {
  readonly hour?: string;
  readonly minute?: string;
  readonly second?: string;
  readonly zone?: string;
};

/** Without the `#` or `*` that closes a box of comments, by a loop, because `\s*[#*;]+$` takes quadratic work. */
function withoutClosingMarks(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  let end = text.length;
  while (end > 0 && '#*;'.includes(text.charAt(end - 1))) end -= 1;
  return end === text.length ? text : text.slice(0, end).trimEnd();
}

/** The date that a header comment gives the file, or null. `8/5/2026` is not read: it may mean two days. */
export function declaredDate(comment: string): number | null {
  if (comment.length > HEADER_CHARS_MAX) return null;
  const found = HEADER.exec(comment);
  const text = withoutClosingMarks(found?.[2]?.trim());
  if (text === undefined) return null;
  // A version counts as a date only when it is written like one: `Version: 2089` is not a year.
  return found?.[1] === undefined ? readDate(text) : (readNumeric(text) ?? readCompact(text));
}

/** A date in any form that lists use, as epoch milliseconds; null when it is not a date or not of this century. */
export function readDate(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.length < 8 || trimmed.length > 64) return null;
  return readNumeric(trimmed) ?? readEpoch(trimmed) ?? readCompact(trimmed) ?? readWritten(trimmed);
}

/** The serial number of a zone: `2026082203` by convention (RFC 1912 section 2.2), else often the epoch second. */
export const serialDate = (serial: string): number | null => readCompact(serial) ?? readEpoch(serial);

/**
 * Reads dates from the comments before the first entry and stops there, because a comment between entries is about
 * them. `isOpen` is public so that a caller with a million entries pays only one assignment each.
 */
export class HeaderDates {
  isOpen = true;
  #lines = 0;
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  comment(line: string): void {
    if (!this.isOpen) return;
    this.#lines += 1;
    if (this.#lines >= HEADER_LINES_MAX) this.isOpen = false;
    const ms = declaredDate(line);
    if (ms !== null) this.#sink.dataDate(ms);
  }
}

function readNumeric(text: string): number | null {
  const found = NUMERIC.exec(text);
  if (found === null) return null;
  const [, year, , month, day, hour, minute, second, zone] = found;
  return toMs(Number(year), Number(month), Number(day), clockOf(hour, minute, second, zone));
}

function readCompact(text: string): number | null {
  const found = COMPACT.exec(text);
  if (found === null) return null;
  const [, year, month, day, hour, minute, second] = found;
  return toMs(Number(year), Number(month), Number(day), clockOf(hour, minute, second));
}

function readEpoch(text: string): number | null {
  if (!EPOCH.test(text)) return null;
  const number = Number(text);
  const ms = number >= 1e12 ? number : number * 1000;
  const year = new Date(ms).getUTCFullYear();
  return year >= YEAR_MIN && year <= YEAR_MAX ? Math.trunc(ms) : null;
}

function readWritten(text: string): number | null {
  const unix = UNIX_DATE.exec(text);
  if (unix !== null) {
    const [, month, day, hour, minute, second, zone, year] = unix;
    return toMs(Number(year), monthOf(month), Number(day), clockOf(hour, minute, second, zone));
  }
  const mail = MAIL_DATE.exec(text);
  if (mail === null) return null;
  const [, day, month, year, hour, minute, second, zone] = mail;
  return toMs(Number(year), monthOf(month), Number(day), clockOf(hour, minute, second, zone));
}

const monthOf = (name = ''): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

const clockOf = (hour = '0', minute = '0', second = '0', zone = ''): Clock => ({
  hour,
  minute,
  second,
  zone,
});

function toMs(year: number, month: number, day: number, clock: Clock): number | null {
  const hour = Number(clock.hour ?? 0);
  const minute = Number(clock.minute ?? 0);
  const second = Number(clock.second ?? 0);
  const offsetMinutes = zoneMinutes(clock.zone ?? '');
  if (year < YEAR_MIN || year > YEAR_MAX || month < 1 || month > 12 || day < 1) return null;
  if (hour > 23 || minute > 59 || second > 60 || offsetMinutes === null) return null;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC turns 31 April into 1 May; here it is an error.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return null;
  return ms - offsetMinutes * MINUTE_MS;
}

/** Minutes east of Greenwich; null for an unknown zone. A date without a zone is taken as UTC. */
function zoneMinutes(text: string): number | null {
  const zone = text.replace(/[()]/g, '').trim().toUpperCase();
  const named = ZONES[zone];
  if (named !== undefined) return named * 60;
  const offset = OFFSET.exec(zone);
  if (offset === null) return null;
  const minutes = Number(offset[2]) * 60 + Number(offset[3]);
  return offset[1] === '-' ? -minutes : minutes;
}
