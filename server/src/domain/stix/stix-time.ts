/** Six fractional digits (O10). */
export const stixTime = (ms: number): string => stixTimeOfMicros(Math.round(ms * 1_000));

/** Whole microseconds since the epoch stay exact in a number until the year 2255. */
export function stixTimeOfMicros(micros: number): string {
  const ms = Math.floor(micros / 1_000);
  const rest = String(micros - ms * 1_000).padStart(3, '0');
  return new Date(ms).toISOString().replace('Z', `${rest}Z`);
}

/** No time means midnight, and no zone means UTC. A space before the offset was a plus sign before URL decoding. */
const TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,12}))?(?:([Zz])|([+\- ]\d{2}:?\d{2}))?)?$/;

/** Microseconds since the epoch of an RFC 3339 or ISO 8601 text; null when it is neither. Finer digits are cut off. */
export function microsOf(text: string): number | null {
  const match = TIME.exec(text.trim());
  if (match === null) return null;
  const [, day = '', time = '00:00', fraction = '', , offset] = match;
  const zone = offset === undefined ? 'Z' : offset.replace(' ', '+').replace(/^(.\d{2})(\d{2})$/, '$1:$2');
  const ms = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${zone}`);
  return Number.isNaN(ms) ? null : ms * 1_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}
