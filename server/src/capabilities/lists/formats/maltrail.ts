import type { Entry, FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';
import { withoutWildcard, withScheme } from './listed-name.ts';

type Folder = Extract<FormatSpec, { kind: 'maltrail' }>['folder'];

const EXAMPLE_CHARS = 80;
const REASONS = {
  pathOnly: 'A URL path without a host.',
  pattern: 'A regular expression, which matches and is not listed.',
  rounded: 'The networks around the scanners that the other file lists one by one.',
  unnamed: 'A scanner that nobody names.',
} as const;

const HASH = 35;
const SLASH = 47;
const COMMENT_START = /\s#/;
const REFERENCE = /^#+\s*refer[a-z]*\s*:(.*)$/is;
/** `# BANNER_0_HASH-HOST=...`: the fingerprint by which the entries below were found. */
const FINGERPRINT = /^#+\s*([A-Z][A-Z0-9_]*-(?:HOST|IP)[A-Z/]*=.*)$/s;
/** `scanner01.example.com` or an operator, and not `(unknown)`. */
const SCANNER_NAME = /^[^\s(]/;
const HAS_SPACE = /\s/;
/** Characters that neither a host nor a port has. Brackets around an IPv6 address are checked separately. */
const PATTERN_SIGN = /[()[\]{}\\|^$*+?]/;
const BRACKETED_IPV6 = /^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;
const HAS_SCHEME = /^[a-z]{3,5}:\/\//i;
const TRAIL_FILE = /(?:^|\/)(?:(malware|malicious|suspicious)\/([^/]+)|(mass_scanner[^/]*))\.txt$/;

export function isTrailFile(path: string, folder: Folder): boolean {
  const found = TRAIL_FILE.exec(path);
  if (found === null) return false;
  return folder === 'mass_scanner' ? found[3] !== undefined : found[1] === folder;
}

/**
 * maltrail's trails. A `# Reference:` explains the entries up to the next comment; in the malware folder the file's
 * name is the family. Of the mass scanners only those with the name of their operator are read, because anybody may scan.
 * A file without an archive counts as part of the folder.
 */
export function maltrailTrails(sink: Sink, spec: Extract<FormatSpec, { kind: 'maltrail' }>): FormatParser {
  const reader = new TrailReader(sink, spec.folder);
  const lines = lineParser(
    (line) => reader.line(line),
    (start) => reader.tooLong(start),
  );
  return {
    member: (path) => {
      lines.member(path);
      reader.member(path);
    },
    write: lines.write,
    end: lines.end,
  };
}

class TrailReader {
  readonly #sink: Sink;
  readonly #folder: Folder;
  #isRead = true;
  #isRounded = false;
  #family: string | undefined;
  #reference: string | undefined;
  /** True while only comments and blank lines came since the block began; the next entry closes it. */
  #isBlockOpen = false;

  constructor(sink: Sink, folder: Folder) {
    this.#sink = sink;
    this.#folder = folder;
  }

  member(path: string): void {
    const found = TRAIL_FILE.exec(path);
    this.#isRead = path === '' || isTrailFile(path, this.#folder);
    this.#isRounded = found?.[3]?.endsWith('_cidr') === true;
    this.#family =
      this.#folder === 'malware' || this.#folder === 'malicious' ? found?.[2]?.slice(0, 80) : undefined;
    this.#reference = undefined;
    this.#isBlockOpen = false;
  }

  tooLong(start: string): void {
    if (this.#isRead) this.#sink.rejected(LINE_TOO_LONG, start.slice(0, EXAMPLE_CHARS));
  }

  line(raw: string): void {
    if (!this.#isRead || raw === '') return;
    const first = raw.charCodeAt(0);
    if (first === HASH) this.#comment(raw);
    else if (first !== SLASH && !HAS_SPACE.test(raw)) this.#trail(raw, undefined);
    else this.#spaced(raw);
  }

  /** Consecutive comments are one block; of several references the first is kept, the others repeat it. */
  #comment(line: string): void {
    if (!this.#isBlockOpen) this.#reference = undefined;
    this.#isBlockOpen = true;
    this.#reference ??= REFERENCE.exec(line)?.[1]?.trim() || FINGERPRINT.exec(line)?.[1];
  }

  /** Paths may hold spaces; after any other trail only a comment may follow. */
  #spaced(raw: string): void {
    const text = raw.trim();
    if (text === '') return;
    if (text.charCodeAt(0) === HASH) this.#comment(text);
    else {
      const start = text.search(COMMENT_START);
      if (start < 0) this.#trail(text, undefined);
      else this.#trail(text.slice(0, start).trim(), text.slice(start + 2).trim());
    }
  }

  #trail(trail: string, comment: string | undefined): void {
    this.#isBlockOpen = false;
    const slash = trail.indexOf('/');
    if (slash === 0) this.#sink.unsupported(REASONS.pathOnly, trail.slice(0, EXAMPLE_CHARS));
    else if (this.#isRounded) this.#sink.unsupported(REASONS.rounded, trail.slice(0, EXAMPLE_CHARS));
    else if (this.#folder === 'mass_scanner' && !SCANNER_NAME.test(comment ?? ''))
      this.#sink.unsupported(REASONS.unnamed, trail.slice(0, EXAMPLE_CHARS));
    else this.#take(trail, slash, comment);
  }

  #take(trail: string, slash: number, comment: string | undefined): void {
    if (slash > 0 && HAS_SCHEME.test(trail)) {
      this.#entry(trail, comment);
      return;
    }
    const end = slash < 0 ? trail.length : slash;
    const host = withoutWildcard(trail.slice(0, end));
    if (PATTERN_SIGN.test(host) && !BRACKETED_IPV6.test(host))
      this.#sink.unsupported(REASONS.pattern, trail.slice(0, EXAMPLE_CHARS));
    else if (slash < 0) this.#entry(host, comment);
    else this.#entry(isRange(trail, slash) ? trail : withScheme(host + trail.slice(slash)), comment);
  }

  #entry(text: string, comment: string | undefined): void {
    const family = this.#family;
    const reference = this.#folder === 'mass_scanner' ? comment : this.#reference;
    this.#sink.entry(entryOf(text, family, reference));
  }
}

/** Without object spread, which costs a fifth of the run: nearly all of 1.8 million entries have both facts. */
function entryOf(text: string, family: string | undefined, reference: string | undefined): Entry {
  if (family !== undefined) return reference === undefined ? { text, family } : { text, family, reference };
  return reference === undefined ? { text } : { text, reference };
}

/** `192.0.2.0/24`: the only slash that does not start a path. */
const isRange = (trail: string, slash: number): boolean =>
  trail.length - slash <= 4 && /^[0-9a-f.:]+\/\d{1,3}$/i.test(trail);
