import { FAMILIES, REFERENCES } from './dataset.ts';

/** Key of a text in the dictionaries of a replica. */
export function nameKeyOf(number: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(number);
  return key;
}

type NameView = {
  readonly get: (collection: string, key: Uint8Array) => Uint8Array | undefined;
  readonly memo: <T>(name: string, build: () => T) => T;
};

/**
 * Reads the texts that listings name by number. Families are few and are kept for as long as the generation, because a
 * number never changes its text; a reference is read when it is met.
 */
export class ListingNames {
  readonly #view: NameView;
  readonly #families: Map<number, string>;

  constructor(view: NameView) {
    this.#view = view;
    this.#families = view.memo('corpus.families', () => new Map<number, string>());
  }

  family(number: number): string | undefined {
    const known = this.#families.get(number);
    if (known !== undefined) return known;
    const text = this.#read(FAMILIES, number);
    if (text !== undefined) this.#families.set(number, text);
    return text;
  }

  reference(number: number): string | undefined {
    return this.#read(REFERENCES, number);
  }

  #read(collection: string, number: number): string | undefined {
    const value = this.#view.get(collection, nameKeyOf(number));
    return value === undefined ? undefined : Buffer.from(value).toString('utf8');
  }
}
