/** How to parse the text of an entry; `any` means parseIndicator. */
export type EntryKind = 'any' | 'asn' | 'crypto' | 'phone';

export type Entry = {
  readonly text: string;
  readonly kind?: EntryKind;
  readonly firstSeenMs?: number;
  readonly lastSeenMs?: number;
  /** 0 to 100. */
  readonly confidence?: number;
  readonly reference?: string;
  readonly family?: string;
  readonly rank?: number;
  readonly siblings?: readonly string[];
};

/** Receives the results of a parser. Nothing is dropped silently: a piece that is no entry goes to another call. */
export type Sink = {
  readonly entry: (entry: Entry) => void;
  /** Understood, but of a kind that is not listed (a URL path alone, a pattern, a certificate). Not an error. */
  readonly unsupported: (reason: string, example: string) => void;
  /** Not understood. */
  readonly rejected: (reason: string, example: string) => void;
  /** The publisher's own date of the whole file. The latest one counts. */
  readonly dataDate: (ms: number) => void;
};

/**
 * Parses one file: text in pieces cut anywhere, then the end. Pure and synchronous, never throws on any text, and holds
 * at most one line or value. `member` announces a file inside an archive (path as archived).
 */
export type FormatParser = {
  readonly member?: (path: string) => void;
  readonly write: (text: string) => void;
  readonly end: () => void;
};

/** Longer than any indicator with its comment; the rest of such a line is skipped and the line counted as rejected. */
export const LINE_CHARS_MAX = 8_192;
