import { open } from 'node:fs/promises';

const SNIFF_BYTES = 16_384;
/** Markup at the very start, after a byte order mark, white space, an XML declaration or comments. */
const STARTS_AS_PAGE =
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|style|div|center|h1|p|table)\b/i;
const HOLDS_MARKUP =
  /<(?:!doctype|html|head|body|title|meta|script|style|div|form|a|p|br|h\d|table|span)\b[^>]*>/i;

/**
 * Login pages, error pages and captchas come with status 200 (reliability F2). The body decides; the declared type only
 * lowers the bar, because scripts that print plain lists often forget to declare any and the server then says HTML.
 */
export async function isWebPage(path: string, contentType: string): Promise<boolean> {
  const head = await readHead(path);
  if (STARTS_AS_PAGE.test(head)) return true;
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType) && HOLDS_MARKUP.test(head);
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
