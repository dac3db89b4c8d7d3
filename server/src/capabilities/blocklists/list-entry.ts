/** One value of a shared list with its score. */
export type ListEntry = {
  /** An address, a CIDR or an ASCII name, in its canonical form. */
  readonly value: string;
  /** 0 to 100. */
  readonly score: number;
  readonly family: string | null;
  /** Text of publishers, which may hold line ends and markup: each format escapes or reduces it. */
  readonly reason: string;
};
