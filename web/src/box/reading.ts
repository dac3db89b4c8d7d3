import type { Contact } from './contact-fragment.ts';
import type { Target } from './permalink.ts';

/** A page that is not about an indicator: a network or range, opened by path, or a contact, which no path may name. */
export type Lead =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'contact'; readonly contact: Contact };

/** How the box understands a text. `read-input.ts` makes it and loads later than the box. */
export type Reading =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unreadable'; readonly sentence: string }
  | { readonly kind: 'list'; readonly count: number }
  /** The ways to read the text, such as domain or URL. The first is the default; the reader can choose another. */
  | { readonly kind: 'one'; readonly ways: readonly [Way, ...Way[]] };

export type Way = {
  readonly word: string;
  /** The normalised value when it differs from the typed text; null when it is the same. */
  readonly readAs: string | null;
  /** The Unicode form of an internationalized name, shown beside its punycode; null for other values. */
  readonly unicode: string | null;
  readonly answer:
    | { readonly kind: 'page'; readonly target: Target }
    /**
     * The text is no indicator with a page of its own: `sentence` says why, or what Enter opens if there is a `lead`.
     */
    | { readonly kind: 'words'; readonly sentence: string; readonly lead?: Lead };
};
