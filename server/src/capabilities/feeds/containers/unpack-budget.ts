import { GateError } from '../ingest/contract.ts';

/** Below this a high ratio is only a repetitive small file. */
const RATIO_ASKED_FROM = 1024 ** 2;

/** Counts what comes out of a packed file and stops it when it is more than a list could be. */
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

  /** `bytes` more came out of `bytesIn` packed bytes so far. */
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
