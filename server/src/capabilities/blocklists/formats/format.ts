import type { ListEntry } from '../list-entry.ts';
import type { ListKind } from '../list-names.ts';

export type RenderInput = {
  readonly kind: ListKind;
  /** The short name of the list, such as `ips-all`, from which sets, tables and zones get their names. */
  readonly label: string;
  readonly entries: readonly ListEntry[];
  /** Reason, score and family as comments, where the format has comments. */
  readonly annotate: boolean;
  /** When the list was built, for zones that need a serial number. */
  readonly builtAtMs: number;
};

export type Rendered = {
  readonly body: Buffer;
  /** Entries in the rendered file, after overlapping ranges and subdomains were merged. */
  readonly entries: number;
  /** Number of entries of the list that this format cannot express. */
  readonly left: number;
};

export type Format = {
  readonly name: string;
  readonly kinds: readonly ListKind[];
  readonly mediaType: string;
  readonly render: (input: RenderInput) => Rendered;
};

export const PLAIN_TEXT = 'text/plain; charset=utf-8';
