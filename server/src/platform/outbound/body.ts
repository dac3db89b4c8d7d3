import { pipeline, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { OutboundError } from './outbound-error.ts';

export type BodyLimits = { readonly bytesMax: number; readonly ratioMax: number };

/** Below this size a high ratio is harmless: a page of zeros compresses a thousandfold. */
const RATIO_FREE_BYTES = 1024 * 1024;

/** A Map, because the remote host chooses the name, and a plain object also has `constructor`. */
const DECODERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/** Counts compressed and unpacked bytes; either count past its limit ends the stream with `too_large`. */
export function boundedBody(raw: Readable, encoding: string, limits: BodyLimits): Readable {
  const names = encoding
    .toLowerCase()
    .split(',')
    .flatMap((name) => {
      const trimmed = name.trim();
      return trimmed === '' || trimmed === 'identity' ? [] : [trimmed];
    });
  const make = names.length === 1 ? DECODERS.get(names[0] ?? '') : undefined;
  if (names.length > 0 && make === undefined) {
    raw.on('error', () => undefined).destroy();
    throw new OutboundError('encoding', `The content encoding '${encoding.slice(0, 40)}' is not understood.`);
  }
  const arrived = { bytes: 0 };
  const count = capped(limits.bytesMax, arrived);
  if (make === undefined) return joined([raw, count], count);
  const decoded = { bytes: 0 };
  const check = capped(limits.bytesMax, decoded, () => {
    if (decoded.bytes > RATIO_FREE_BYTES && decoded.bytes > arrived.bytes * limits.ratioMax)
      throw new OutboundError('too_large', `The body grows more than ${limits.ratioMax}-fold when unpacked.`);
  });
  return joined([raw, count, make(), check], check);
}

function capped(bytesMax: number, seen: { bytes: number }, alsoCheck?: () => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen.bytes += chunk.length;
      try {
        if (seen.bytes > bytesMax)
          throw new OutboundError('too_large', `The body is larger than ${bytesMax} bytes.`);
        alsoCheck?.();
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

function joined(parts: [Readable, ...Transform[]], last: Transform): Readable {
  pipeline(parts, (error) => {
    // The decoder failed: the bytes were cut off or are not in the announced encoding.
    if (error && !last.destroyed) last.destroy(error);
  });
  return last;
}
