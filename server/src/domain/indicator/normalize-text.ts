/**
 * All characters that Unicode defines as invisible: zero-width, bidirectional controls, soft hyphen, byte-order mark,
 * variation selectors, tags. Joiners are included, so a Persian name with a zero-width non-joiner must be sent as its
 * A-label (decisions 3.1 strips before the kind is detected).
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Trims, applies NFKC and strips invisible characters (decisions 3.1). ASCII, nearly all input, is only trimmed. */
export function normalizeText(raw: string): string {
  const text = raw.trim();
  if (isAscii(text)) return text;
  const folded = text.normalize('NFKC');
  const visible = folded.replace(INVISIBLE, '');
  // Removing an invisible character can bring a letter and its accent together, so NFKC runs again; otherwise a
  // second call would change the result.
  return (visible === folded ? folded : visible.normalize('NFKC')).trim();
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 126) return false;
  return true;
}
