import { open } from 'node:fs/promises';

const SNIFF_BYTES = 16_384;
const COMMENT_START = '<!--';
const COMMENT_END = '-->';
const SPACE = /\s*/y;
const XML_DECLARATION = /<\?xml[^<>]*>/iy;
const FIRST_TAG = /<(?:!doctype\s+html|html|head|body|title|meta|script|style|div|center|h1|p|table)\b/iy;
const ANY_TAG = /<(?:!doctype|html|head|body|title|meta|script|style|div|form|a|p|br|h\d|table|span)\b/i;

/**
 * Login pages, error pages and captchas come with status 200 (reliability F2). The body decides; the declared type only
 * lowers the threshold, because scripts that print plain lists often declare no type and the server then says HTML.
 */
export async function isWebPage(path: string, contentType: string): Promise<boolean> {
  const head = await readHead(path);
  if (startsAsPage(head)) return true;
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType) && holdsMarkup(head);
}

/**
 * Markup at the very start, after a byte order mark, white space, an XML declaration or comments. Read from left to right:
 * an expression for the comments would try every way to divide them.
 */
function startsAsPage(head: string): boolean {
  let at = endOf(SPACE, head, head.startsWith('\uFEFF') ? 1 : 0);
  at = endOf(SPACE, head, endOf(XML_DECLARATION, head, at));
  while (head.startsWith(COMMENT_START, at)) {
    const end = head.indexOf(COMMENT_END, at + COMMENT_START.length);
    if (end < 0) return false;
    at = endOf(SPACE, head, end + COMMENT_END.length);
  }
  return endOf(FIRST_TAG, head, at) > at;
}

/** Where a match that starts at this place ends, or the place itself. */
function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : at;
}

function holdsMarkup(head: string): boolean {
  const start = head.search(ANY_TAG);
  return start >= 0 && head.includes('>', start);
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(SNIFF_BYTES), position: 0 });
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file.close();
  }
}
