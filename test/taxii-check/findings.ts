import { CLAUSES, type ClauseId, NOTES, type NoteId } from './clauses.ts';

/** The request that shows a finding, and one example of it in a sentence. */
export type Evidence = { readonly request: string; readonly example: string };

export type Violation = Evidence & {
  readonly clause: ClauseId;
  readonly standard: string;
  readonly section: string;
  readonly words: string;
  count: number;
};
export type Note = Evidence & { readonly note: NoteId; readonly words: string; count: number };

export type Findings = {
  /** Counts each breach of a clause and keeps the first as the example. */
  readonly violation: (clause: ClauseId, request: string, example: string) => void;
  readonly note: (note: NoteId, request: string, example: string) => void;
  readonly violations: () => readonly Violation[];
  readonly notes: () => readonly Note[];
};

const EXAMPLE_MAX = 300;
const cut = (text: string): string =>
  text.length <= EXAMPLE_MAX ? text : `${text.slice(0, EXAMPLE_MAX)}...`;

export function createFindings(): Findings {
  const violations = new Map<ClauseId, Violation>();
  const notes = new Map<NoteId, Note>();
  return {
    violation: (clause, request, example) => {
      const known = violations.get(clause);
      if (known !== undefined) known.count += 1;
      else violations.set(clause, { clause, ...CLAUSES[clause], request, example: cut(example), count: 1 });
    },
    note: (note, request, example) => {
      const known = notes.get(note);
      if (known !== undefined) known.count += 1;
      else notes.set(note, { note, words: NOTES[note], request, example: cut(example), count: 1 });
    },
    violations: () => [...violations.values()],
    notes: () => [...notes.values()],
  };
}
