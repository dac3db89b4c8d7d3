/**
 * Everything Unicode says is not shown: zero-width, bidirectional controls, soft hyphen, byte-order mark, variation
 * selectors, tags. Joiners are among them, so a Persian name with a zero-width non-joiner must be sent as its A-label
 * (decisions 3.1 strips before it types).
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Trim, NFKC, strip invisibles (decisions 3.1). Plain ASCII, nearly everything there is, is only trimmed. */
export function normalizeText(raw: string): string {
  const text = raw.trim();
  if (isAscii(text)) return text;
  const folded = text.normalize('NFKC');
  const visible = folded.replace(INVISIBLE, '');
  // Taking an invisible out may bring a letter and its accent together: fold once more, or the result is not stable.
  return (visible === folded ? folded : visible.normalize('NFKC')).trim();
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 126) return false;
  return true;
}
