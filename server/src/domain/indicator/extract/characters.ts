/**
 * A dot, colon, slash or at sign in brackets with at most one space on each side, as `refang` reads them. Sticky and
 * bounded, so one test looks at eight characters at most.
 */
export const DEFANGED = /\s?[[({<]\s?(?:\.|dot|:|@|at|\/)\s?[\])}>]\s?/iy;
export const HARMLESS = /[[({<]\s?(?:\.|dot|:|\/)\s?[\])}>]/i;

/** White space, control characters, quotes and full stops of every script, which no indicator contains. */
export const BREAK =
  /[\s\p{Cc}\u2010-\u2027\u2030-\u205e\u00ab\u00bb\u3001\u3008-\u3011\uff08\uff09\uff0c\uff1b]/u;
export const breaksWord = (char: string): boolean => BREAK.test(char);

const TOKEN_ASCII = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:@+')
  TOKEN_ASCII[char.charCodeAt(0)] = 1;

/** Characters of a name, address, digest or mailbox. Outside ASCII all but breaks count: names use all scripts. */
export const isWordCharacter = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code < 128 ? TOKEN_ASCII[code] === 1 : !BREAK.test(text.charAt(at));
};
