/**
 * A dot, colon, slash or at sign in brackets, with one space on either side at most, as `refang` undoes them. Sticky and
 * bounded: asked at one place, it looks at eight characters.
 */
export const DEFANGED = /\s?[[({<]\s?(?:\.|dot|:|@|at|\/)\s?[\])}>]\s?/iy;
/** Of these, what nobody writes by chance. */
export const HARMLESS = /[[({<]\s?(?:\.|dot|:|\/)\s?[\])}>]/i;

/** White space, controls, and the quotes and full stops of every script: what no indicator holds. */
export const BREAK =
  /[\s\p{Cc}\u2010-\u2027\u2030-\u205e\u00ab\u00bb\u3001\u3008-\u3011\uff08\uff09\uff0c\uff1b]/u;
export const breaksWord = (char: string): boolean => BREAK.test(char);

const TOKEN_ASCII = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:@+')
  TOKEN_ASCII[char.charCodeAt(0)] = 1;

/** Part of a name, an address, a digest or a mailbox. Beyond ASCII everything that is no break: names have all scripts. */
export const isWordCharacter = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code < 128 ? TOKEN_ASCII[code] === 1 : !BREAK.test(text.charAt(at));
};
