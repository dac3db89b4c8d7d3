/** A choice in words: "PRO", "PRO or ENTERPRISE", "BASIC, PRO or ENTERPRISE". */
export const oneOf = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
