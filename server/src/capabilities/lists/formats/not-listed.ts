/** Why a piece of a list is not an entry. One sentence each for operators, constant so that a run can count them. */
export const UNSUPPORTED = {
  exception: 'An exception names a host that must not be blocked; it lists nothing.',
  cosmetic: 'A cosmetic rule hides parts of pages; it lists no host.',
  regex: 'A regular expression matches names; it does not name one.',
  wildcard: 'A pattern with a wildcard in the middle matches names; it does not name one.',
  noHost: 'The rule matches a part of an address and names no host.',
  conditional: 'The rule holds for some pages or kinds of request alone; it does not list the host.',
  directive: 'This statement configures the program that reads the file; it lists nothing.',
  localName: 'This is a name of the machine itself, such as localhost; listing it would say nothing.',
  forwarding: 'The name is sent to another resolver; that is no listing.',
  nameServer: 'The rule is about name servers, which are not listed by it.',
  client: 'The rule is about clients of a resolver; it lists nothing.',
  otherContent: 'The rule wants more than a host name or an address; neither alone is listed by it.',
  noName: 'The rule matches traffic by other means than a host name or an address.',
  otherDigest: 'Only MD5, SHA-1 and SHA-256 digests are listed.',
  otherLine: 'Lines of this kind are not read from this list.',
  cutOff: 'The URL is cut off, so it cannot be listed.',
  noCell: 'The line has nothing in the columns that hold the entries.',
  highlight: 'The rule highlights or rewrites search results; it blocks nothing.',
} as const;

export const REJECTED = {
  noRule: 'The line is not a rule of this format.',
  noStatement: 'The line is not a statement of this format.',
  rpzAddress: 'The address in the owner name is not written as response policy zones write addresses.',
  unnamedColumn: 'The header does not name a column that this list is read by.',
  openQuote: 'A quoted cell does not end.',
  recordTooLong: 'The record is longer than 65,536 characters.',
  cellTooLong: 'The cell is longer than any indicator.',
  range: 'The first and the last address are not a range.',
  digestLine: 'The line is not a digest, a semicolon and a comment.',
} as const;
