import { compareDigits } from './digits.ts';

/** A Debian version: epoch, upstream version, revision (deb-version(7)). */
export type DpkgVersion = {
  readonly epoch: string;
  readonly upstream: string;
  readonly revision: string;
};

const UPSTREAM = /^[0-9][A-Za-z0-9.+~:-]*$/;
const REVISION = /^[A-Za-z0-9.+~]+$/;

export function parseDpkg(text: string): DpkgVersion | null {
  const colon = text.indexOf(':');
  const epoch = colon === -1 ? '0' : text.slice(0, colon);
  const rest = text.slice(colon + 1);
  const dash = rest.lastIndexOf('-');
  const upstream = dash === -1 ? rest : rest.slice(0, dash);
  const revision = dash === -1 ? '' : rest.slice(dash + 1);
  // At most nine digits, because dpkg keeps the epoch in an int.
  if (!/^[0-9]{1,9}$/.test(epoch) || !UPSTREAM.test(upstream)) return null;
  if (dash !== -1 && !REVISION.test(revision)) return null;
  return { epoch, upstream, revision };
}

export const compareDpkg = (a: DpkgVersion, b: DpkgVersion): number =>
  compareDigits(a.epoch, b.epoch) ||
  comparePart(a.upstream, b.upstream) ||
  comparePart(a.revision, b.revision);

const DIGIT_FIRST = 48;
const DIGIT_LAST = 57;

/** A tilde sorts before the end, the end and digits before letters, letters before other signs. */
function rankAt(text: string, at: number): number {
  if (at >= text.length) return 0;
  const code = text.charCodeAt(at);
  if (code >= DIGIT_FIRST && code <= DIGIT_LAST) return 0;
  if (code === 126) return -1;
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? code : code + 256;
}

const isDigitAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= DIGIT_FIRST && code <= DIGIT_LAST;
};

function digitsAt(text: string, at: number): string {
  let end = at;
  while (isDigitAt(text, end)) end += 1;
  return text.slice(at, end);
}

/** Compares runs without digits and runs of digits in turn, from the left. */
function comparePart(a: string, b: string): number {
  let atA = 0;
  let atB = 0;
  while (atA < a.length || atB < b.length) {
    while ((atA < a.length && !isDigitAt(a, atA)) || (atB < b.length && !isDigitAt(b, atB))) {
      const order = rankAt(a, atA) - rankAt(b, atB);
      if (order !== 0) return order;
      atA += 1;
      atB += 1;
    }
    const left = digitsAt(a, atA);
    const right = digitsAt(b, atB);
    const order = compareDigits(left || '0', right || '0');
    if (order !== 0) return order;
    atA += left.length;
    atB += right.length;
  }
  return 0;
}
