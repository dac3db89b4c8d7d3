/** The parameters of Punycode as IDNA uses it (RFC 3492 section 5). */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE_POINT = 128;
const CODE_POINT_MAX = 0x10ffff;
const PREFIX = 'xn--';
/** Control characters and lone surrogates, which a reader cannot see. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}]/u;

/** The label as a reader sees it. An A-label with invalid Punycode is returned unchanged, as browsers show it. */
export function readableLabel(label: string): string {
  if (!label.startsWith(PREFIX)) return label;
  return decode(label.slice(PREFIX.length)) ?? label;
}

function decode(encoded: string): string | null {
  const delimiter = encoded.lastIndexOf('-');
  const output = Array.from(encoded.slice(0, Math.max(0, delimiter)), (letter) => letter.charCodeAt(0));
  let at = delimiter < 0 ? 0 : delimiter + 1;
  let [codePoint, place, bias] = [INITIAL_CODE_POINT, 0, INITIAL_BIAS];
  while (at < encoded.length) {
    const delta = readDelta(encoded, at, bias);
    if (delta === null) return null;
    at = delta.next;
    const before = place;
    place += delta.value;
    const length = output.length + 1;
    bias = adapt(delta.value, length, before === 0);
    codePoint += Math.floor(place / length);
    if (codePoint > CODE_POINT_MAX || NOT_SHOWN.test(String.fromCodePoint(codePoint))) return null;
    place %= length;
    output.splice(place, 0, codePoint);
    place += 1;
  }
  return output.length === 0 ? null : String.fromCodePoint(...output);
}

/** Reads one variable-length integer (RFC 3492 section 3.3). The 63 characters of a label bound the loop. */
function readDelta(text: string, from: number, bias: number): { value: number; next: number } | null {
  let [value, weight] = [0, 1];
  for (let at = from, k = BASE; at < text.length; at += 1, k += BASE) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit < 0) return null;
    value += digit * weight;
    if (value > Number.MAX_SAFE_INTEGER) return null;
    const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
    if (digit < threshold) return { value, next: at + 1 };
    weight *= BASE - threshold;
  }
  return null;
}

function digitOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 97;
  return code >= 48 && code <= 57 ? code - 22 : -1;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  left += Math.floor(left / length);
  let k = 0;
  while (left > ((BASE - T_MIN) * T_MAX) >> 1) {
    left = Math.floor(left / (BASE - T_MIN));
    k += BASE;
  }
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}
