import { GateError } from '../gate-error.ts';

export type SnapshotEvents = {
  /**
   * A file begins: its path inside a tar or zip, '' for a file without an archive. False (or a promise of it) skips it:
   * no text of it is passed on.
   */
  readonly member: (path: string) => unknown;
  readonly text: (piece: string) => void | Promise<void>;
  readonly memberEnd: () => void | Promise<void>;
};

/** The beginning of a web page, which servers send instead of a list. */
const WEB_PAGE = /^\s*<(?:!doctype|html|head|body)\b/i;
const WEB_PAGE_CHARS = 16;
const SPACE_CHARS_MAX = 4_096;
/** The longest path of any system; formats match paths with regular expressions. */
const PATH_CHARS_MAX = 4_096;

/**
 * The text of one file: UTF-8 without its byte-order mark, bad sequences as U+FFFD (a few names in a legacy encoding
 * must not stop a list). UTF-16, NUL bytes and web pages are refused. Bytes come in pieces cut anywhere.
 */
export class MemberText {
  readonly #on: SnapshotEvents;
  #decoder = new TextDecoder('utf-8');
  #isWanted = true;
  #isAlone = true;
  #path = '';
  /** The beginning, held back until it is long enough to recognise a web page; null afterwards. */
  #head: string | null = '';
  #firstBytes: Buffer | null = Buffer.alloc(0);

  constructor(on: SnapshotEvents) {
    this.#on = on;
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  async open(path: string): Promise<void> {
    if (path.length > PATH_CHARS_MAX)
      throw new GateError(
        'archive',
        `A name in the archive is longer than ${PATH_CHARS_MAX} characters.`,
        false,
      );
    this.#path = path;
    this.#isAlone = path === '';
    this.#decoder = new TextDecoder('utf-8');
    this.#head = this.#isAlone ? '' : null;
    this.#firstBytes = Buffer.alloc(0);
    this.#isWanted = (await this.#on.member(path)) !== false;
  }

  /** Returns a promise only when there is something to wait for, because an event loop turn per piece adds up. */
  write(bytes: Buffer): void | Promise<void> {
    if (!this.#isWanted || bytes.length === 0) return;
    if (this.#firstBytes !== null) this.#refuseUtf16(bytes);
    if (bytes.includes(0)) throw notText(`it holds NUL bytes${this.#where()}`);
    return this.#pass(this.#decoder.decode(bytes, { stream: true }));
  }

  async close(): Promise<void> {
    if (!this.#isWanted) return;
    await this.#pass(this.#decoder.decode());
    await this.#passHead();
    await this.#on.memberEnd();
  }

  #pass(text: string): void | Promise<void> {
    if (text === '') return;
    if (this.#head === null) return this.#on.text(text);
    this.#head += text;
    const isLongEnough =
      this.#head.trimStart().length >= WEB_PAGE_CHARS || this.#head.length > SPACE_CHARS_MAX;
    return isLongEnough ? this.#passHead() : undefined;
  }

  #passHead(): void | Promise<void> {
    const head = this.#head;
    this.#head = null;
    if (head === null || head === '') return;
    if (WEB_PAGE.test(head.slice(0, SPACE_CHARS_MAX + WEB_PAGE_CHARS)))
      throw new GateError('web-page', 'The file is a web page, not a list.', false);
    return this.#on.text(head);
  }

  #refuseUtf16(bytes: Buffer): void {
    const [first, second] = Buffer.concat([this.#firstBytes ?? Buffer.alloc(0), bytes.subarray(0, 2)]);
    this.#firstBytes = second === undefined && first !== undefined ? Buffer.of(first) : null;
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
      throw notText(`it is UTF-16, and lists are read as UTF-8${this.#where()}`);
  }

  #where(): string {
    return this.#isAlone ? '' : ` ('${this.#path.slice(0, 200)}')`;
  }
}

const notText = (why: string) => new GateError('not-text', `The file is not text: ${why}.`, false);
