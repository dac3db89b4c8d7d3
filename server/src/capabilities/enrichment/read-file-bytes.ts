import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { RefusedFile } from './refused-file.ts';

const unpack = promisify(gunzip);
/** The largest free city file has 130 MB; every API process holds its opened files in memory. */
export const BYTES_MAX = 512 * 1024 * 1024;
const HEAD_BYTES = 256;

/** The bytes of a reference file, unpacked if they are gzip. An empty file and a web page are refused. */
export async function readFileBytes(label: string, raw: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const content = bytes[0] === 0x1f && bytes[1] === 0x8b ? await gunzipped(label, bytes) : bytes;
  if (content.length === 0) throw new RefusedFile(`${label} is empty.`);
  if (content.length > BYTES_MAX) throw tooLarge(label);
  // Login pages, error pages and captchas come with status 200 (reliability F2).
  if (/^\uFEFF?\s*<(?:!doctype|html|\?xml|head|body|!--)/i.test(content.toString('utf8', 0, HEAD_BYTES)))
    throw new RefusedFile(`${label} is a web page, not data.`);
  return content;
}

async function gunzipped(label: string, bytes: Buffer): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: BYTES_MAX });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(label);
    throw new RefusedFile(`${label} is cut off or damaged: it cannot be unpacked.`, { cause: error });
  }
}

const tooLarge = (label: string) =>
  new RefusedFile(`${label} is larger than ${BYTES_MAX.toLocaleString('en-US')} bytes unpacked.`);
