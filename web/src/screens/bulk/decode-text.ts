/** UTF-8, or UTF-16 where a mark at the start says so, as Windows shells write it. Null: this is no text. */
export function decodeText(bytes: Uint8Array): string | null {
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const looked = bytes.subarray(0, LOOKED_AT_BYTES);
  return looked.includes(0) ? null : new TextDecoder().decode(bytes);
}

/** A program or an archive has a zero byte long before this; text has none at all. */
const LOOKED_AT_BYTES = 8_192;
