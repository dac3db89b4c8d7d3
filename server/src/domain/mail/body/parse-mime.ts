import PostalMime, { type Email } from 'postal-mime';
import { MAIL_LIMITS } from '../limits.ts';

const DASH = 45;
const EQUALS = 61;
const LINE_FEED = 10;
const SKIPPED = Promise.resolve();
type Bytes = Uint8Array<ArrayBuffer>;

/** Parts of the MIME parser that its types leave out; the tests of this file fail if an update changes them. */
type Part = {
  readonly state: string;
  readonly contentType: { readonly parsed: { readonly value: string } };
  readonly contentTransferEncoding: { readonly encoding: string };
  contentDecoder: Decoder | null;
};
type Decoder = { readonly update: (line: Bytes) => void; readonly finalize: () => Promise<ArrayBuffer> };
type Lines = {
  readonly currentNode: Part;
  readonly isInlineTextNode: (part: Part) => boolean;
  processLine: (line: Bytes, isFinal: boolean) => Promise<void>;
};

/**
 * Splits a message into its parts. The parser itself says which lines are text of the message, and lines beyond the text that
 * a scan reads are not given to it: they would be decoded, joined and thrown away. Lines that begin like a boundary
 * always are, so that no part and no attached file is lost. The email is null if its structure cannot be read.
 */
export async function parseMime(
  bytes: Uint8Array,
): Promise<{ readonly email: Email | null; readonly isTextCut: boolean }> {
  const parser = new PostalMime({
    forceRfc822Attachments: true,
    attachmentEncoding: 'arraybuffer',
    maxNestingDepth: MAIL_LIMITS.depthMax,
    maxHeadersSize: 2 * MAIL_LIMITS.headerBlockBytesMax,
  });
  const lines = parser as unknown as Lines;
  const processLine = lines.processLine.bind(parser);
  let begun: Part | null = null;
  const left = { plain: MAIL_LIMITS.textCharsMax as number, html: MAIL_LIMITS.htmlCharsMax as number };
  let isTextCut = false;
  lines.processLine = (line, isFinal) => {
    const part = lines.currentNode;
    if (part.state === 'body' && part !== begun) {
      begun = part;
      if (isPlain(part)) part.contentDecoder = new PlainBytes();
    }
    if (part.state !== 'body' || isLikeBoundary(line) || !lines.isInlineTextNode(part))
      return processLine(line, isFinal);
    const type = part.contentType.parsed.value === 'text/html' ? 'html' : 'plain';
    const encoding = part.contentTransferEncoding.encoding;
    const room = left[type];
    left[type] = Math.max(0, room - decodedLength(line, encoding));
    if (left[type] > 0) return processLine(line, isFinal);
    isTextCut = true;
    const kept = line.subarray(0, encoding.includes('base64') ? Math.ceil(room / 3) * 4 : room);
    return kept.length > 0 || isFinal ? processLine(kept, isFinal) : SKIPPED;
  };
  try {
    return { email: await parser.parse(bytes), isTextCut };
  } catch {
    return { email: null, isTextCut };
  }
}

const isPlain = ({ contentTransferEncoding: { encoding } }: Part): boolean =>
  !encoding.includes('base64') && !encoding.includes('quoted-printable');

/**
 * Collects the lines of a part that is not encoded. The decoder of the parser makes a Blob of all lines, which took more than
 * half of the CPU time of a message of short lines.
 */
class PlainBytes implements Decoder {
  #bytes = new Uint8Array(4_096);
  #length = 0;

  update(line: Bytes): void {
    const length = this.#length + line.length + 1;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(line, this.#length);
    this.#bytes[length - 1] = LINE_FEED;
    this.#length = length;
  }

  finalize(): Promise<ArrayBuffer> {
    return Promise.resolve(this.#bytes.buffer.slice(0, this.#length));
  }
}

const isLikeBoundary = (line: Bytes): boolean => line[0] === DASH && line[1] === DASH;

/** How many bytes of text a line has, its line end included. */
function decodedLength(line: Bytes, encoding: string): number {
  if (encoding.includes('base64')) return (line.length * 3) / 4;
  if (!encoding.includes('quoted-printable')) return line.length + 1;
  let length = line.length + 1;
  for (let at = line.indexOf(EQUALS); at !== -1; at = line.indexOf(EQUALS, at + 1)) length -= 2;
  return Math.max(0, length);
}
