/** Up to this size the file is read whole for the browser's own digest, many times faster than one in JavaScript. */
const WHOLE_BYTES_MAX = 64 * 1_048_576;
/** Read per step: short enough that the page stays responsive between two steps. */
const STEP_BYTES = 1_048_576;

export type HashOptions = {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
};

/** The SHA-256 of a file, computed in the browser: the file is never uploaded. */
export async function hashFile(
  file: Blob,
  { signal, onProgress }: HashOptions,
  // `crypto.subtle` is absent on plain HTTP pages, which dashboards inside a network often are.
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
