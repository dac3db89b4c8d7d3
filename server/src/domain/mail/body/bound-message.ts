import { MAIL_LIMITS } from '../limits.ts';

const LF = 10;
const DASH = 45;
const BOUNDARY_MAX = 200;
const SHORT_BYTES = 20;
const latin = new TextDecoder('latin1');

/**
 * Cuts a message before it has more lines or parts than a scan reads, because the MIME parser keeps an object for each.
 * A line is counted as a part when it begins with two hyphens and repeats an earlier such line, as boundaries do; a
 * message with so many other lines of that form is cut as well, and says so.
 */
export function boundMessage(bytes: Uint8Array): {
  readonly bytes: Uint8Array;
  readonly cuts: readonly string[];
} {
  const seen = new Map<string, number>();
  let lines = 0;
  let shortLines = 0;
  let parts = 0;
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(LF, at);
    const end = found === -1 ? bytes.length : found;
    lines += 1;
    if (end - at < SHORT_BYTES) shortLines += 1;
    if (lines > MAIL_LIMITS.linesMax || shortLines > MAIL_LIMITS.shortLinesMax)
      return { bytes: bytes.subarray(0, at), cuts: ['lines'] };
    if (bytes[at] === DASH && bytes[at + 1] === DASH && end - at <= BOUNDARY_MAX) {
      const text = latin.decode(bytes.subarray(at, end)).trimEnd();
      const times = (seen.get(text) ?? 0) + 1;
      if (seen.size < MAIL_LIMITS.partsMax || times > 1) seen.set(text, times);
      if (times > 1 || text.length > 12) parts += 1;
      if (parts > MAIL_LIMITS.partsMax) return { bytes: bytes.subarray(0, at), cuts: ['parts'] };
    }
    at = end + 1;
  }
  return { bytes, cuts: [] };
}
