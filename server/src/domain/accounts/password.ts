export const PASSWORD_CHARS_MIN = 10;
export const PASSWORD_CHARS_MAX = 128;

/** The spelling of a password that is hashed (NFKC), because keyboards encode the same characters differently. */
export const spellPassword = (text: string): string => text.normalize('NFKC');

/**
 * A new password in the spelling that is hashed; null if it has fewer or more characters than allowed. Characters are
 * counted as a person counts them, not in units of UTF-16.
 */
export function readPassword(text: string): string | null {
  const password = spellPassword(text);
  const { length } = Array.from(password);
  return length < PASSWORD_CHARS_MIN || length > PASSWORD_CHARS_MAX ? null : password;
}
