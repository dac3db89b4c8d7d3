import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { ServiceError } from '#platform/errors.ts';

/** Lines in batches: a step of an async iterator per line would cost more than parsing the line. */
export type Lines = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

/** Longer than any indicator; a line that goes on is cut here and the rest of it is skipped. */
const LINE_CHARS_MAX = 8_192;
/** After decompression: a limit against mistakes and gzip bombs. */
const FILE_BYTES_MAX = 4 * 1024 ** 3;

/** Files one after another, as parts of one list; a name that ends in `.gz` is decompressed. */
export async function* readLines(paths: readonly string[]): AsyncGenerator<readonly string[]> {
  for (const path of paths) yield* linesOf(path);
}

async function* linesOf(path: string): AsyncGenerator<readonly string[]> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const bytes = path.endsWith('.gz') ? pipeErrors(file, createGunzip()) : file;
  const decoder = new TextDecoder('utf-8');
  let bytesRead = 0;
  let carry = '';
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    bytesRead += chunk.length;
    if (bytesRead > FILE_BYTES_MAX)
      throw new ServiceError('Payload Too Large', `'${path}' is larger than ${FILE_BYTES_MAX} bytes.`);
    const lines = (carry + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    carry = (lines.pop() ?? '').slice(0, LINE_CHARS_MAX);
    if (lines.length > 0) yield lines;
  }
  if (carry !== '') yield [carry];
}

function pipeErrors<T extends NodeJS.ReadWriteStream & { destroy: (error: Error) => unknown }>(
  source: NodeJS.ReadableStream,
  target: T,
): T {
  source.on('error', (error: Error) => target.destroy(error));
  source.pipe(target);
  return target;
}
