/** One claim at its full size: what it shows, which promises of ARCHITECTURE.md it proves, and how to run it. */
export type Proof = {
  readonly name: string;
  /** One sentence: what is shown, at which size. */
  readonly shows: string;
  /** Ids of the Promises table of ARCHITECTURE.md. */
  readonly promises: readonly string[];
  readonly run: VitestRun | ProgramRun;
};

/** Test files in a project of vitest.config.ts, run with ASSAY_LANE=proofs. */
export type VitestRun = {
  readonly kind: 'vitest';
  readonly project: 'unit' | 'integration' | 'browser' | 'proofs' | 'browser-proofs';
  readonly files: readonly string[];
};

/** A program of this repository, run with the same Node. */
export type ProgramRun = {
  readonly kind: 'program';
  readonly file: string;
  readonly args: readonly string[];
  /** Limits that the printed figures must keep, because a benchmark that only prints them never fails by itself. */
  readonly goals?: Readonly<Record<string, Goal>>;
};

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** What the runner keeps of the last run of a proof. */
export type ProofRecord = {
  readonly passed: boolean;
  readonly date: string;
  readonly commit: string;
  readonly seconds: number;
  /** The code that the proof reaches, without comments: another digest means that the proof is due again. */
  readonly digest: string;
  /** Every line `figure NAME VALUE` and `ratio NAME VALUE` that the run printed. */
  readonly figures: Readonly<Record<string, number>>;
};

export const filesOf = ({ run }: Proof): readonly string[] =>
  run.kind === 'vitest' ? run.files : [run.file];

/** The command that runs one proof alone. */
export const commandOf = ({ name }: Proof): string => `npm run proofs -- --only ${name}`;
