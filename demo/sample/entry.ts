/** One line of a sample list. Days are whole days before today: 0 is today, -30 the first day of the sample. */
export type SampleEntry = {
  readonly text: string;
  readonly firstSeen: string;
  readonly family: string;
  readonly confidence: number;
};
