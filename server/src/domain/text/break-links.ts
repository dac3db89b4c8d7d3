/** A dot of any script between two parts of a name; mail programs read all of them as the dot of a domain. */
const DOT = /(?<=\S)[.\u2024\u3002\uff0e\uff61](?=[\p{L}\p{N}\p{M}\p{S}\p{Cf}_%-])/gu;
const SCHEME = /(?<!\[):\/\//g;
/** The colon of `mailto:` and of every other scheme; colons of times and of sentences are followed by a digit or a space. */
const COLON = /(?<=\p{L}):(?=[^\s\]/])/gu;

/**
 * Text of a caller in a form of which no mail program makes a link: `example[.]com`, `https[://]example[.]com`. It stays readable,
 * and a text that was broken already stays as it is.
 */
export const breakLinks = (text: string): string =>
  text.replace(SCHEME, '[://]').replace(COLON, '[:]').replace(DOT, '[.]');
