/**
 * The JSON text of a value with the fields of every object in order, so that equal values have equal texts. Works with a
 * list of what is left to write in place of recursion: a body of 64 KiB may be nested 30,000 deep, which overflows the stack
 * of `JSON.stringify`.
 */
export function canonicalJson(value: unknown): string {
  const text: string[] = [];
  const left: Piece[] = [{ value }];
  for (let next = left.pop(); next !== undefined; next = left.pop())
    if (typeof next === 'string') text.push(next);
    else for (const piece of piecesOf(next.value).reverse()) left.push(piece);
  return text.join('');
}

type Piece = string | { readonly value: unknown };

/** Texts that are final, and values that are still to be written, in the order of the result. */
function piecesOf(value: unknown): Piece[] {
  if (value === null || typeof value !== 'object' || value instanceof Date)
    return [JSON.stringify(value) ?? 'null'];
  if (Array.isArray(value)) return ['[', ...separated(value.map((item: unknown) => [{ value: item }])), ']'];
  const sorted = Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  const fields = Object.entries(sorted).filter(([, part]) => part !== undefined);
  return [
    '{',
    ...separated(fields.map(([name, part]) => [`${JSON.stringify(name)}:`, { value: part }])),
    '}',
  ];
}

const separated = (items: readonly (readonly Piece[])[]): Piece[] =>
  items.flatMap((item, index) => (index === 0 ? item : [',', ...item]));
