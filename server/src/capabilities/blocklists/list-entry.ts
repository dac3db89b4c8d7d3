/** One value of a shared list, as the record of standing judges it. */
export type ListEntry = {
  /** An address, a CIDR or an ASCII name, in its canonical form. */
  readonly value: string;
  /** 0 to 100. */
  readonly score: number;
  readonly family: string | null;
  /** Text of publishers: foreign, and never trusted to stay on its line. */
  readonly reason: string;
};
