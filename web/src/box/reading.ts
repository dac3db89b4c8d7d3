import type { Target } from './permalink.ts';

/** What the box takes a text for. Made by `read-input.ts`, which is loaded later than the box itself. */
export type Reading =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unreadable'; readonly sentence: string }
  /** More than one indicator: a task for the bulk page. */
  | { readonly kind: 'list'; readonly count: number }
  /** The first way of reading it is the usual one; the others can be chosen. */
  | { readonly kind: 'one'; readonly ways: readonly [Way, ...Way[]] };

export type Way = {
  /** `IPv4`, `URL`, `SHA-256`: the word on the chip. */
  readonly word: string;
  /** What was understood, where it is not what was typed; null where nothing had to be changed. */
  readonly readAs: string | null;
  /** An internationalized name as a reader sees it, beside the form that travels; null for all others. */
  readonly unicode: string | null;
  readonly answer:
    | { readonly kind: 'page'; readonly target: Target }
    /** No request is needed, or no page is there: it is said in words. */
    | { readonly kind: 'words'; readonly sentence: string };
};
