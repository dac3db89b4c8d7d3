/** One line of a sample list. `firstSeen` is a date, YYYY-MM-DD. */
export type SampleEntry = {
  readonly text: string;
  readonly firstSeen: string;
  readonly family: string;
  readonly confidence: number;
};
