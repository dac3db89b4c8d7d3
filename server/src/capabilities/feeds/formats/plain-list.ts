const COMMENT_START = /^(?:#|;|!|\/\/)/;
/** A comment after the entry needs a space before it: `#` and `//` are parts of URLs. */
const TRAILING_COMMENT = /\s(?:#|;|!|\/\/).*$/;
const BYTE_ORDER_MARK = '\ufeff';
/** Where hosts files send the names they block. */
const SINK =
  /^(?:0\.0\.0\.0|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1?|fe80::1(?:%\S*)?|255\.255\.255\.255|ff0\d::\S*)$/i;
/** Names every hosts file maps for the machine itself; listing them says nothing. */
const LOCAL_NAME =
  /^(?:localhost(?:\.localdomain|4|6)?|localhost4\.localdomain4|localhost6\.localdomain6|local|broadcasthost|ip6-\S+|0\.0\.0\.0)$/i;
const NAMES_MAX = 64;
const NOTHING: readonly string[] = [];

/**
 * The entries of one line of a plain list: one, none (blank, comment), or several (a hosts line with several names).
 * Everything else on the line, such as a count in a second column, is not the entry's business.
 */
export function entriesOfPlainLine(raw: string): readonly string[] {
  const line = raw.startsWith(BYTE_ORDER_MARK) ? raw.slice(1).trim() : raw.trim();
  if (line === '' || COMMENT_START.test(line)) return NOTHING;
  if (!/\s/.test(line)) return [withoutWildcard(line)];
  const [first = '', ...rest] = line
    .replace(TRAILING_COMMENT, '')
    .trim()
    .split(/\s+/, NAMES_MAX + 1);
  if (rest.length > 0 && SINK.test(first)) return rest.filter((name) => !LOCAL_NAME.test(name));
  return [withoutWildcard(first)];
}

/** `*.example.com` and `.example.com` list the domain: its children are found through it. */
const withoutWildcard = (entry: string): string =>
  entry.startsWith('*.') ? entry.slice(2) : entry.startsWith('.') ? entry.slice(1) : entry;
