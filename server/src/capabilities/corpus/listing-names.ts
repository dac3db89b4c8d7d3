import { FAMILIES, REFERENCES } from './dataset.ts';

/** The key of a family or reference, by its number, in the dictionaries of a replica. */
export function nameKeyOf(number: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(number);
  return key;
}

type NameView = {
  readonly get: (collection: string, key: Uint8Array) => Uint8Array | undefined;
  readonly memo: <T>(name: string, build: () => T) => T;
};

/** How many references are cached, about 1 MB; listings with the same reference mostly follow each other. */
const REFERENCES_MAX = 10_000;

/**
 * Reads the texts that listings name by number. They are kept for as long as the generation, because a number never
 * changes its text: families are few, and of references the last ones stay.
 */
export class ListingNames {
  readonly #view: NameView;
  readonly #families: Map<number, string>;
  readonly #references: Map<number, string>;

  constructor(view: NameView) {
    this.#view = view;
    this.#families = view.memo('corpus.families', () => new Map<number, string>());
    this.#references = view.memo('corpus.references', () => new Map<number, string>());
  }

  family(number: number): string | undefined {
    const known = this.#families.get(number);
    if (known !== undefined) return known;
    const text = this.#read(FAMILIES, number);
    if (text !== undefined) this.#families.set(number, text);
    return text;
  }

  reference(number: number): string | undefined {
    const known = this.#references.get(number);
    if (known !== undefined) return known;
    const text = this.#read(REFERENCES, number);
    if (this.#references.size >= REFERENCES_MAX) this.#references.clear();
    if (text !== undefined) this.#references.set(number, text);
    return text;
  }

  #read(collection: string, number: number): string | undefined {
    const value = this.#view.get(collection, nameKeyOf(number));
    return value === undefined ? undefined : Buffer.from(value).toString('utf8');
  }
}
