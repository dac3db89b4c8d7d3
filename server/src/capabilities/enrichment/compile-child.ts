import { parentPort, workerData } from 'node:worker_threads';
import { compileReference, type ReferenceKind } from './compile-reference.ts';
import { RefusedFile } from './refused-file.ts';

/** A separate thread, because reading half a million lines, or every record of a city file, takes seconds. */
const { kind, parts } = workerData as {
  readonly kind: ReferenceKind;
  readonly parts: readonly { readonly label: string; readonly bytes: Uint8Array }[];
};

try {
  const compiled = compileReference(
    kind,
    parts.map(({ label, bytes }) => ({
      label,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    })),
  );
  parentPort?.postMessage({ compiled });
} catch (error) {
  if (!(error instanceof RefusedFile)) throw error;
  parentPort?.postMessage({ refused: error.message });
}
