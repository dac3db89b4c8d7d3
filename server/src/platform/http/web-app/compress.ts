import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './accept-encoding.ts';

/** Measured on 625 kB of JavaScript: 9 takes 74 ms for 99 kB, 11 takes 1,400 ms for 90 kB. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 6;

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** The encoded forms that are smaller than the bytes themselves. */
export type Compressed = Readonly<Partial<Record<Encoding, Buffer>>>;

export async function compressBoth(bytes: Buffer): Promise<Compressed> {
  const br = await asBrotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  const gz = await asGzip(bytes, { level: GZIP_LEVEL });
  return { ...(br.length < bytes.length && { br }), ...(gz.length < bytes.length && { gzip: gz }) };
}
