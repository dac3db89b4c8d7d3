/** Texts here hold one byte in each character: escapes name bytes, and the bytes need not be UTF-8. */
const HEX = /^[\da-f]{2}$/i;
const NOT_ASCII = /[^\0-\x7f]/;
const TO_ESCAPE = /[\0-\x20#%\x7f-\xff]/g;

export const utf8Bytes = (text: string): string => {
  if (!NOT_ASCII.test(text)) return text;
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
};

/**
 * Decodes until no escape is left. One pass is enough, looking back after each byte: escapes never overlap, so the
 * order does not matter, and `%25` nested a thousand deep takes time linear in its length.
 */
export function unescapeBytes(bytes: string): string {
  if (!bytes.includes('%')) return bytes;
  const out: string[] = [];
  for (const byte of bytes) {
    out.push(byte);
    while (out.length >= 3 && out[out.length - 3] === '%') {
      const digits = `${out[out.length - 2]}${out[out.length - 1]}`;
      if (!HEX.test(digits)) break;
      out.splice(-3, 3, String.fromCharCode(Number.parseInt(digits, 16)));
    }
  }
  return out.join('');
}

export const escapeBytes = (bytes: string): string =>
  bytes.replace(TO_ESCAPE, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
