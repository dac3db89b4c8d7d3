import { GateError } from '../gate-error.ts';

/** Below this size a high ratio only means a small repetitive file. */
const RATIO_ASKED_FROM = 1024 ** 2;

/** Counts the unpacked bytes of a file and refuses it when they exceed the limits of a list. */
export class UnpackBudget {
  bytesOut = 0;
  readonly #bytesMax: number;
  readonly #ratioMax: number;
  readonly #signal: AbortSignal | undefined;

  constructor(bytesMax: number, ratioMax: number, signal: AbortSignal | undefined) {
    this.#bytesMax = bytesMax;
    this.#ratioMax = ratioMax;
    this.#signal = signal;
  }

  /** `bytes` more came out; `bytesIn` packed bytes were read so far. */
  add(bytes: number, bytesIn: number): void {
    this.#signal?.throwIfAborted();
    this.bytesOut += bytes;
    if (this.bytesOut > this.#bytesMax)
      throw new GateError('too-large', `The file unpacks to more than ${this.#bytesMax} bytes.`, false);
    if (this.bytesOut > RATIO_ASKED_FROM && this.bytesOut > this.#ratioMax * Math.max(bytesIn, 1))
      throw new GateError(
        'too-large',
        `The file unpacks to more than ${this.#ratioMax} times its size: no list does, an archive made to fill a disk does.`,
        false,
      );
  }
}
