import type { Readable, Transform } from 'node:stream';
import { GateError } from '../gate-error.ts';
import type { UnpackBudget } from './unpack-budget.ts';

/** A zlib or zstd engine; `bytesWritten` counts the packed bytes it has taken. */
export type Engine = Transform & { readonly bytesWritten: number };

/** `Z_BUF_ERROR` and similar: the input ended before the packed data did. */
const CUT_OFF = /unexpected end of file|Z_BUF_ERROR|truncated/i;

/**
 * Yields the output of the engine, counted before it is passed on. `packedBefore`: packed bytes of the same file that
 * were read earlier (the members of a zip count together).
 */
export async function* decompress(
  source: Readable,
  engine: Engine,
  name: string,
  budget: UnpackBudget,
  packedBefore = 0,
): AsyncGenerator<Buffer> {
  source.on('error', (error) => engine.destroy(error));
  source.pipe(engine);
  try {
    for await (const chunk of engine as AsyncIterable<Buffer>) {
      budget.add(chunk.length, packedBefore + engine.bytesWritten);
      yield chunk;
    }
  } catch (error) {
    throw isEngineError(error) ? gateError(error, name) : error;
  } finally {
    source.destroy();
    engine.destroy();
  }
}

type EngineError = Error & { readonly code?: string; readonly errno?: number };

const isEngineError = (error: unknown): error is EngineError =>
  error instanceof Error && /^(?:Z_|ZSTD_)/.test(String((error as EngineError).code));

const gateError = (error: EngineError, name: string): GateError =>
  CUT_OFF.test(`${error.code} ${error.message}`)
    ? new GateError('truncated', `The file ends in the middle of its ${name} data.`, false)
    : new GateError('archive', `The file is damaged: its ${name} data cannot be unpacked.`, false);
