const DIGEST_LENGTHS = [32, 40, 64];

/**
 * The digests among these texts when they can be those of one file: an MD5, a SHA-1 and a SHA-256 at most, one of
 * each. Two of the same kind are two files, and then nothing is known about which belongs to which.
 */
export function digestsOfOneFile(texts: readonly string[]): readonly string[] {
  const digests = texts.filter(({ length }) => DIGEST_LENGTHS.includes(length));
  return new Set(digests.map(({ length }) => length)).size === digests.length ? digests : [];
}

/** The others of one file, for each of them. */
export const siblingsOf = (text: string, digests: readonly string[]): readonly string[] =>
  digests.includes(text) ? digests.filter((digest) => digest !== text) : [];
