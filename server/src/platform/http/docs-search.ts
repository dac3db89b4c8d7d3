/**
 * True when the text has every word of the query. It also runs in the reader's browser, where the page has its source
 * text (docs-script.ts), so it refers to nothing outside of itself.
 */
export function hasEveryWord(text: string, query: string): boolean {
  const plain = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => plain.includes(word));
}
