import { promisify } from 'node:util';
import { gzip, constants as zlib, zstdCompress } from 'node:zlib';

export const ENCODINGS = ['identity', 'gzip', 'zstd'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Measured on 21.6 MB: gzip 6 takes 1.5 s, zstd 3 takes 0.18 s for the same size, zstd 19 saves a fifth in 15 s. */
const GZIP = { level: 6 } as const;
const ZSTD = { params: { [zlib.ZSTD_c_compressionLevel]: 3 } } as const;
const compressGzip = promisify(gzip);
const compressZstd = promisify(zstdCompress);

export async function encodeBytes(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return compressGzip(bytes, GZIP);
  return encoding === 'zstd' ? compressZstd(bytes, ZSTD) : bytes;
}

/** Another library may write other bytes for the same text, so its version is part of a strong tag. */
export const encoderOf = (encoding: Exclude<Encoding, 'identity'>): string =>
  `${encoding}-${(encoding === 'gzip' ? process.versions.zlib : process.versions.zstd) ?? '0'}`;
