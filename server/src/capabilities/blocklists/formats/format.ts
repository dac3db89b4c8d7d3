import type { ListEntry } from '../list-entry.ts';
import type { ListKind } from '../list-names.ts';

export type RenderInput = {
  readonly kind: ListKind;
  /** `ips-all`: sets, tables and zones are called after it. */
  readonly label: string;
  readonly entries: readonly ListEntry[];
  /** Reason, score and family as comments, where the format has comments. */
  readonly annotate: boolean;
  /** When the list was built, for zones that need a serial number. */
  readonly builtAtMs: number;
};

export type Rendered = {
  readonly body: Buffer;
  /** What a reader of the file counts, after merging and folding. */
  readonly entries: number;
  /** Entries of the list that this format cannot say. */
  readonly left: number;
};

export type Format = {
  readonly name: string;
  readonly kinds: readonly ListKind[];
  readonly mediaType: string;
  readonly render: (input: RenderInput) => Rendered;
};

export const PLAIN_TEXT = 'text/plain; charset=utf-8';
