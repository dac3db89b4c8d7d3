/** One typing or reading error, or one flipped bit (Damerau: a letter left out, added, changed, or two exchanged). */
export const SLIPS = [
  'transposition',
  'repetition',
  'omission',
  'adjacentKey',
  'insertion',
  'bitFlip',
  'substitution',
] as const;
export type Slip = (typeof SLIPS)[number];

const ALPHABET = Array.from('abcdefghijklmnopqrstuvwxyz0123456789-');
/** The rows of a QWERTY keyboard; each is shifted half a key to the right of the row above. */
const KEY_ROWS = ['1234567890-', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const NEIGHBOUR_KEYS: ReadonlySet<string> = new Set(
  KEY_ROWS.flatMap((row, at) =>
    Array.from(row).flatMap((key, column) =>
      [row[column + 1], KEY_ROWS[at + 1]?.[column], KEY_ROWS[at + 1]?.[column - 1]].flatMap((near) =>
        near === undefined ? [] : [key + near, near + key],
      ),
    ),
  ),
);

export function slipBetween(meant: string, written: string): Slip | null {
  if (meant === written || Math.abs(meant.length - written.length) > 1) return null;
  let start = 0;
  while (start < meant.length && meant[start] === written[start]) start += 1;
  const tail = (skipMeant: number, skipWritten: number): boolean =>
    meant.slice(start + skipMeant) === written.slice(start + skipWritten);
  if (meant.length > written.length) return tail(1, 0) ? 'omission' : null;
  if (meant.length < written.length) {
    if (!tail(0, 1)) return null;
    return written[start] === written[start - 1] ? 'repetition' : 'insertion';
  }
  if (tail(1, 1)) return changeOf(meant.charCodeAt(start), written.charCodeAt(start));
  const isExchanged = meant[start] === written[start + 1] && meant[start + 1] === written[start];
  return isExchanged && tail(2, 2) ? 'transposition' : null;
}

function changeOf(from: number, to: number): Slip {
  const flipped = from ^ to;
  if (NEIGHBOUR_KEYS.has(String.fromCharCode(from, to))) return 'adjacentKey';
  return (flipped & (flipped - 1)) === 0 ? 'bitFlip' : 'substitution';
}

/** Every label that is one error away from this one: about 74 for each letter. */
export function slipsOf(label: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at <= label.length; at += 1) {
    const [head, tail] = [label.slice(0, at), label.slice(at)];
    for (const letter of ALPHABET) {
      found.add(head + letter + tail);
      if (tail.length > 0) found.add(head + letter + tail.slice(1));
    }
    found.add(head + tail.slice(1));
    if (tail.length > 1) found.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
  }
  found.delete(label);
  found.delete('');
  return found;
}
