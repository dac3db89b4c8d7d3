/** Reads `name=value` pairs of DKIM (RFC 6376 3.2) and DMARC (RFC 7489 6.4); null when malformed. */
export function readTags(text: string): ReadonlyMap<string, string> | null {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const pair = part.trim();
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim().toLowerCase();
    if (!/^[a-z]\w*$/.test(name)) return null;
    // A repeated tag makes the whole list invalid (RFC 6376 3.2).
    if (tags.has(name)) return null;
    tags.set(name, pair.slice(at + 1).trim());
  }
  return tags;
}
