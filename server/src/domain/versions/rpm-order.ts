import { compareDigits, compareText, isDigits } from './digits.ts';

/** `[epoch:]version[-release]` as rpm splits it. */
export type RpmVersion = {
  readonly epoch: string;
  readonly version: string;
  readonly release: string | null;
};

export function parseRpm(text: string): RpmVersion | null {
  const colon = /^[0-9]*:/.exec(text)?.[0].length ?? 0;
  const epoch = colon === 0 ? '0' : text.slice(0, colon - 1) || '0';
  const rest = text.slice(colon);
  const dash = rest.lastIndexOf('-');
  const version = dash === -1 ? rest : rest.slice(0, dash);
  const release = dash === -1 ? null : rest.slice(dash + 1);
  if (epoch.length > 9 || version === '' || release === '' || !/^[\x21-\x7e]+$/.test(text)) return null;
  return { epoch, version, release };
}

/** A version without a release sorts before the same version with one, as rpm does. */
export function compareRpm(a: RpmVersion, b: RpmVersion): number {
  const order = compareDigits(a.epoch, b.epoch) || compareSegments(a.version, b.version);
  if (order !== 0) return order;
  if (a.release === null || b.release === null)
    return a.release === b.release ? 0 : a.release === null ? -1 : 1;
  return compareSegments(a.release, b.release);
}

const SEGMENT = /[0-9]+|[A-Za-z]+|~|\^/g;

/** Digits sort after letters, a tilde before the end of the version, a caret after the end but before all else. */
function compareSegments(a: string, b: string): number {
  if (a === b) return 0;
  const left = a.match(SEGMENT) ?? [];
  const right = b.match(SEGMENT) ?? [];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const order = compareSegment(left[at], right[at]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareSegment(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === '~' || b === '~') return a === '~' ? -1 : 1;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  if (a === '^' || b === '^') return a === '^' ? -1 : 1;
  if (isDigits(a) !== isDigits(b)) return isDigits(a) ? 1 : -1;
  return isDigits(a) ? compareDigits(a, b) : compareText(a, b);
}
