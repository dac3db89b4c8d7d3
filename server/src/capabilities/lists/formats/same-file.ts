const DIGEST_LENGTHS = [32, 40, 64];

/**
 * The digests among these texts if they can belong to one file: at most one MD5, one SHA-1 and one SHA-256. Two of the
 * same kind mean two files, and then it is unknown which digests belong together.
 */
export function digestsOfOneFile(texts: readonly string[]): readonly string[] {
  const digests = texts.filter(({ length }) => DIGEST_LENGTHS.includes(length));
  return new Set(digests.map(({ length }) => length)).size === digests.length ? digests : [];
}

export const siblingsOf = (text: string, digests: readonly string[]): readonly string[] =>
  digests.includes(text) ? digests.filter((digest) => digest !== text) : [];
