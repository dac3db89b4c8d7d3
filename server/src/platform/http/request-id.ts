import { randomBytes } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const PROCESS_CHARS = 10;
const COUNTER_MASK = 0x3fffffff;
/** A table of character pairs: the counter takes three lookups instead of six divisions. */
const PAIRS = Array.from({ length: 1_024 }, (_, i) => CROCKFORD.charAt(i >> 5) + CROCKFORD.charAt(i & 31));

/**
 * `req_` and a ULID whose random part is drawn once for each process and then incremented: unique and sortable,
 * without a system call for each request. Never taken from the client (reliability 3.X).
 */
export function requestIds(clock: Clock): () => string {
  const process = Array.from(randomBytes(PROCESS_CHARS), (byte) => CROCKFORD.charAt(byte & 31)).join('');
  let counter = randomBytes(4).readUInt32BE() & COUNTER_MASK;
  let lastMs = -1;
  let head = '';
  return () => {
    const nowMs = clock.now();
    if (nowMs !== lastMs) {
      lastMs = nowMs;
      head = `req_${timeChars(nowMs)}${process}`;
    }
    counter = (counter + 1) & COUNTER_MASK;
    return `${head}${PAIRS[counter >> 20]}${PAIRS[(counter >> 10) & 1_023]}${PAIRS[counter & 1_023]}`;
  };
}

function timeChars(nowMs: number): string {
  let text = '';
  for (let left = nowMs, i = 0; i < TIME_CHARS; i += 1) {
    text = CROCKFORD.charAt(left % 32) + text;
    left = Math.floor(left / 32);
  }
  return text;
}
