/**
 * The text of a JSON value by RFC 8785 (JCS): names in the order of their UTF-16 units, numbers and strings as ECMAScript
 * writes them, no blanks. Throws a RangeError for what JSON cannot carry: numbers that are not finite, half surrogate pairs.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => `${scalarText(name)}:${canonicalText(part)}`);
    return `{${fields.join(',')}}`;
  }
  return scalarText(value);
}

function scalarText(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError('A number is too large for JSON.');
  if (typeof value === 'string' && !value.isWellFormed())
    throw new RangeError('A text holds half of a surrogate pair.');
  const text = JSON.stringify(value);
  if (text === undefined) throw new RangeError(`JSON has no ${typeof value}.`);
  return text;
}

/** Stops at `depthMax`, so that it cannot overflow the stack on values of any depth. */
export const isDeeperThan = (value: unknown, depthMax: number): boolean => {
  if (value === null || typeof value !== 'object') return false;
  if (depthMax === 0) return true;
  return Object.values(value).some((part) => isDeeperThan(part, depthMax - 1));
};
