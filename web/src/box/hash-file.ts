/** Small enough to be read whole, for the browser's own digest: many times faster than one in JavaScript. */
const WHOLE_BYTES_MAX = 64 * 1_048_576;
/** One step: short enough that the page goes on answering between two of them. */
const STEP_BYTES = 1_048_576;

export type HashOptions = {
  readonly signal: AbortSignal;
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
};

/** The SHA-256 of a file, worked out here: the file itself goes nowhere. */
export async function hashFile(
  file: Blob,
  { signal, onProgress }: HashOptions,
  // Absent on plain HTTP pages, which dashboards inside a network often are.
  subtle: SubtleCrypto | null = globalThis.crypto.subtle ?? null,
): Promise<string> {
  if (subtle !== null && file.size <= WHOLE_BYTES_MAX) {
    const digest = await subtle.digest('SHA-256', await file.arrayBuffer());
    signal.throwIfAborted();
    return toHex(new Uint8Array(digest));
  }
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const running = sha256.create();
  for (let at = 0; at < file.size; at += STEP_BYTES) {
    signal.throwIfAborted();
    running.update(new Uint8Array(await file.slice(at, at + STEP_BYTES).arrayBuffer()));
    onProgress(Math.min(1, (at + STEP_BYTES) / file.size));
  }
  signal.throwIfAborted();
  return toHex(running.digest());
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
