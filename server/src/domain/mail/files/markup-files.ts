import { latinText } from './file-type.ts';

const PDF_CHARS_MAX = 2 * 1024 * 1024;
/** PDF actions that run scripts or programs. Forms and embedded files are missing: electronic invoices have them. */
const PDF_ACTION = /\/(?:JavaScript|JS|Launch|ImportData|RichMedia)\b/;
const PDF_URI = /\/URI\s{0,9}\(([^()]{4,2000})\)/g;
const URIS_MAX = 100;
const MATCHES_MAX = 2_000;

/** Names written with `#4a` for a letter are the same names (ISO 32000 7.3.5). */
function plainNames(text: string): string {
  let left = ESCAPES_MAX;
  return text.replace(/#([0-9a-f]{2})/gi, (whole, hex: string) => {
    left -= 1;
    return left < 0 ? whole : String.fromCharCode(Number.parseInt(hex, 16));
  });
}
const ESCAPES_MAX = 50_000;

/** Reads only what stands outside of compressed streams. */
export function readPdf(bytes: Uint8Array): {
  readonly hasAction: boolean;
  readonly isEncrypted: boolean;
  readonly hasStreams: boolean;
  readonly targets: readonly string[];
} {
  const text = plainNames(latinText(bytes, 0, PDF_CHARS_MAX));
  const targets = new Set<string>();
  for (const [, uri] of text.matchAll(PDF_URI).take(MATCHES_MAX)) {
    if (uri !== undefined) targets.add(uri.replaceAll('\\', ''));
    if (targets.size >= URIS_MAX) break;
  }
  return {
    hasAction: PDF_ACTION.test(text),
    isEncrypted: /\/Encrypt\b/.test(text),
    hasStreams: /\/(?:FlateDecode|ObjStm|LZWDecode)\b/.test(text),
    targets: [...targets],
  };
}

const HTML_CHARS_MAX = 4 * 1024 * 1024;
const BUILDS_FILE =
  /\bnew\s+(?:Blob|File)\s?\(|msSaveOrOpenBlob|URL\.createObjectURL|data:application\/(?:octet-stream|zip|x-|java)/i;
const DECODES = /\batob\s?\(|fromCharCode|Uint8Array|unescape\s?\(|document\.write\s?\(|\beval\s?\(/i;
const STARTS_DOWNLOAD =
  /\.download\s?=|\bdownload\s?=\s?["']|\.click\s?\(|location(?:\.href|\.replace|\.assign)?\s?[=(]/i;

/** HTML smuggling: the file's own script builds a file or a page, so that no gateway sees it on the way. */
export function isSmuggling(bytes: Uint8Array): boolean {
  const text = latinText(bytes, 0, HTML_CHARS_MAX);
  if (!/<script|\son\w{3,20}\s?=/i.test(text)) return false;
  const hasDecoding = DECODES.test(text);
  return (
    (BUILDS_FILE.test(text) && (hasDecoding || STARTS_DOWNLOAD.test(text))) || (hasDecoding && longCode(text))
  );
}

const CODE_MIN = 4_000;
const CODE_RUN = /[A-Za-z0-9+/=%\\]+/g;

/** True for a run of encoded characters long enough for a document or a program; small pictures are shorter. */
function longCode(text: string): boolean {
  for (const [run] of text.matchAll(CODE_RUN)) if (run.length >= CODE_MIN) return true;
  return false;
}
