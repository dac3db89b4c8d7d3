/** `name=value` pairs between semicolons, as DKIM (RFC 6376 3.2) and DMARC (RFC 7489 6.4) write them; null when broken. */
export function readTags(text: string): ReadonlyMap<string, string> | null {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const pair = part.trim();
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim().toLowerCase();
    if (!/^[a-z]\w*$/.test(name)) return null;
    // RFC 6376 3.2: a tag that stands twice makes the whole list void.
    if (tags.has(name)) return null;
    tags.set(name, pair.slice(at + 1).trim());
  }
  return tags;
}
