/** UTF-8, or UTF-16 with a byte order mark, as Windows shells write it. Null when the bytes are no text. */
export function decodeText(bytes: Uint8Array): string | null {
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const looked = bytes.subarray(0, LOOKED_AT_BYTES);
  return looked.includes(0) ? null : new TextDecoder().decode(bytes);
}

/** Programs and archives contain a zero byte well before this; text contains none. */
const LOOKED_AT_BYTES = 8_192;
