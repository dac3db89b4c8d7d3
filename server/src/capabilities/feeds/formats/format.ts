/** How the text of an entry is to be read; `any` asks parseIndicator. */
export type EntryKind = 'any' | 'asn' | 'crypto' | 'phone';

/** One thing a source lists, as the source wrote it, with whatever else the source says about it. */
export type Entry = {
  readonly text: string;
  readonly kind?: EntryKind;
  readonly firstSeenMs?: number;
  readonly lastSeenMs?: number;
  /** 0 to 100. */
  readonly confidence?: number;
  readonly reference?: string;
  /** Malware family or tool. */
  readonly family?: string;
  readonly rank?: number;
  /** Other digests of the same file. */
  readonly siblings?: readonly string[];
};

/** Where a parser puts what it finds. Nothing is dropped silently: a piece that is no entry goes to one of the others. */
export type Sink = {
  readonly entry: (entry: Entry) => void;
  /** Understood, but of a kind the service does not list (a URL path alone, a pattern, a certificate). Not an error. */
  readonly unsupported: (reason: string, example: string) => void;
  /** Not understood. */
  readonly rejected: (reason: string, example: string) => void;
  /** The publisher's own date of the whole file, when it says one. The latest wins. */
  readonly dataDate: (ms: number) => void;
};

/**
 * One parser reads one file: text in pieces cut anywhere, then the end. Pure, synchronous, never throws on any text,
 * and keeps no more than a line or a value of it. `member` announces a file inside an archive (path as archived).
 */
export type FormatParser = {
  readonly member?: (path: string) => void;
  readonly write: (text: string) => void;
  readonly end: () => void;
};

/** Longer than any indicator with its comment; the rest of such a line is skipped and the line counted as rejected. */
export const LINE_CHARS_MAX = 8_192;
