import type { CveFact } from '../fact.ts';
import { FACT_BYTES, readFact } from '../fact.ts';

const HEADER_BYTES = 4;
const ID_BYTES = 10;
const ROW_BYTES = ID_BYTES + FACT_BYTES;
const NO_DAY = -2_147_483_648;
const NUMBER_DIGITS_MIN = 4;

/** All CVEs as the replica packs them (`packFacts`), the highest EPSS first. */
export class PackedFacts {
  readonly length: number;
  /** The day of the EPSS model, in days since 1970-01-01. */
  readonly modelDay: number | null;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.length = Math.max(0, Math.floor((bytes.byteLength - HEADER_BYTES) / ROW_BYTES));
    const day = bytes.byteLength < HEADER_BYTES ? NO_DAY : this.#view.getInt32(0);
    this.modelDay = day === NO_DAY ? null : day;
  }

  fact(at: number): CveFact {
    return readFact(this.#view, HEADER_BYTES + at * ROW_BYTES + ID_BYTES);
  }

  id(at: number): string {
    const from = HEADER_BYTES + at * ROW_BYTES;
    const number = String(this.#view.getFloat64(from + 2)).padStart(NUMBER_DIGITS_MIN, '0');
    return `CVE-${this.#view.getInt16(from)}-${number}`;
  }
}
