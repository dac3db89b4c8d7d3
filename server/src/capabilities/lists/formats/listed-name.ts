/** Names that every hosts file maps for the machine itself; they are not entries. */
const LOCAL_NAME =
  /^(?:localhost(?:\.localdomain|4|6)?|localhost4\.localdomain4|localhost6\.localdomain6|local|broadcasthost|ip6-\S+|0\.0\.0\.0)$/i;
const SINK =
  /^(?:0\.0\.0\.0|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1?|fe80::1(?:%\S*)?|255\.255\.255\.255|ff0\d::\S*)$/i;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]{0,20}:\/\//i;
const PATH_START = /[/?]/;

export const isLocalName = (name: string): boolean => LOCAL_NAME.test(name);

export const isSinkAddress = (address: string): boolean => SINK.test(address);

/** `*.example.com` and `.example.com` list the domain, through which its children are found. */
export const withoutWildcard = (entry: string): string =>
  entry.startsWith('*.') ? entry.slice(2) : entry.startsWith('.') ? entry.slice(1) : entry;

/** `host/path` is an http URL; `host/` and a name without a path stay the name. */
export function withScheme(entry: string): string {
  const end = entry.search(PATH_START);
  if (end <= 0 || HAS_SCHEME.test(entry)) return entry;
  if (end === entry.length - 1) return entry.slice(0, end);
  return entry.lastIndexOf('.', end) > 0 ? `http://${entry}` : entry;
}

/** A comment after a statement needs a blank before its `#`. */
export function withoutTrailingComment(text: string): string {
  const start = text.search(/\s#/);
  return start < 0 ? text : text.slice(0, start).trimEnd();
}

const HASH = 35;
const BANG = 33;
const SEMICOLON = 59;
const SLASH = 47;

/** `#`, `;`, `!` or `//`. Inside a text they are parts of URLs, so only the start counts. */
export function startsComment(text: string, at = 0): boolean {
  const code = text.charCodeAt(at);
  return (
    code === HASH ||
    code === SEMICOLON ||
    code === BANG ||
    (code === SLASH && text.charCodeAt(at + 1) === SLASH)
  );
}
