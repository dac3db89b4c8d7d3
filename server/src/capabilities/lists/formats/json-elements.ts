import { type JsonStream, jsonStream } from './json-stream.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

export type ElementEvents = {
  /** A complete value at one of the paths; `path` is the index of that path. */
  readonly element: (value: JsonValue, path: number) => void;
  /** An element, or a string in it, that is too large to be held. */
  readonly oversized: (reason: string, example: string) => void;
  readonly broken: (reason: string, example: string) => void;
};

/** The largest known elements, MISP objects and STIX indicators, stay under 64 KiB. */
const ELEMENT_CHARS_MAX = 1024 ** 2;
const ELEMENT_NODES_MAX = 20_000;
/** A set of paths is one number with one bit per path. */
const PATHS_MAX = 30;
const OVERSIZED = 'This element is larger than any entry.';
const STRING_TOO_LONG = 'This string is longer than 65,536 characters.';

/** `deny[*]`, `prefixes[*].ip_prefix`, `[*]`, `*[*]`: a key, any key (`*`), any element of an array (`[*]`). */
type Step = { readonly kind: 'key'; readonly name: string } | { readonly kind: 'any-key' | 'any-element' };

const ELEMENT: Step = { kind: 'any-element' };

export function parsePath(path: string): readonly Step[] {
  return path
    .split(/(\[\*\])|\./)
    .filter((part): part is string => part !== undefined && part !== '')
    .map((part) =>
      part === '[*]' ? ELEMENT : part === '*' ? { kind: 'any-key' } : { kind: 'key', name: part },
    );
}

/**
 * Emits the values at the given paths of a JSON text; each is built completely and then released, and everything else
 * is skipped. Paths are not matched again inside an element.
 */
export function jsonElements(paths: readonly string[], on: ElementEvents): JsonStream {
  const finder = new Finder(paths.slice(0, PATHS_MAX).map(parsePath), on);
  const stream = jsonStream({
    openObject: () => finder.open(false),
    openArray: () => finder.open(true),
    close: () => finder.close(),
    key: (name) => finder.key(name),
    scalar: (value) => finder.scalar(value),
    tooLong: (start) => finder.tooLong(start),
    broken: on.broken,
  });
  return {
    write: stream.write,
    end: () => {
      stream.end();
      finder.reset();
    },
  };
}

type Container = { readonly array: JsonValue[] | null; readonly object: { [key: string]: JsonValue } };

class Finder {
  readonly #paths: readonly (readonly Step[])[];
  readonly #on: ElementEvents;
  /** For each level, the paths that end there. */
  readonly #endingAt: readonly number[];
  /** For each level, the paths that match down to it. */
  #alive: number[] = [];
  #isArray: boolean[] = [];
  #key = '';
  /** The containers of the element under construction, outermost first. */
  #building: Container[] = [];
  #keys: string[] = [];
  #foundBy = 0;
  #chars = 0;
  #nodes = 0;
  #tooLarge: string | null = null;
  #example = '';

  constructor(paths: readonly (readonly Step[])[], on: ElementEvents) {
    this.#paths = paths;
    this.#on = on;
    this.#endingAt = endingsOf(paths);
  }

  reset(): void {
    this.#alive = [];
    this.#isArray = [];
    this.#building = [];
    this.#keys = [];
  }

  open(isArray: boolean): void {
    if (this.#building.length > 0) {
      this.#openInside(isArray);
      return;
    }
    const alive = this.#descend();
    const found = this.#foundAt(alive, this.#alive.length);
    if (found >= 0) {
      this.#foundBy = found;
      this.#chars = 0;
      this.#nodes = 0;
      this.#tooLarge = null;
      this.#openInside(isArray);
      return;
    }
    this.#alive.push(alive);
    this.#isArray.push(isArray);
  }

  close(): void {
    const done = this.#building.pop();
    if (done === undefined) {
      this.#alive.pop();
      this.#isArray.pop();
      return;
    }
    const key = this.#keys.pop() ?? '';
    const value: JsonValue = done.array ?? done.object;
    if (this.#building.length > 0) this.#put(key, value);
    else if (this.#tooLarge === null) this.#on.element(value, this.#foundBy);
    else this.#on.oversized(this.#tooLarge, this.#example);
  }

  key(name: string): void {
    this.#key = name;
    if (this.#building.length > 0) this.#count(name.length, name);
  }

  scalar(value: string | number | boolean | null): void {
    if (this.#building.length > 0) {
      this.#count(typeof value === 'string' ? value.length : 0, value);
      this.#put(this.#key, value);
      return;
    }
    const found = this.#foundAt(this.#descend(), this.#alive.length);
    if (found >= 0) this.#on.element(value, found);
  }

  tooLong(start: string): void {
    if (this.#building.length > 0) this.#refuse(STRING_TOO_LONG, start);
    else if (this.#foundAt(this.#descend(), this.#alive.length) >= 0)
      this.#on.oversized(STRING_TOO_LONG, start);
  }

  #descend(): number {
    const depth = this.#alive.length;
    if (depth === 0) return (1 << this.#paths.length) - 1;
    const above = this.#alive[depth - 1] ?? 0;
    if (above === 0) return 0;
    const isElement = this.#isArray[depth - 1] === true;
    let alive = 0;
    for (let left = above; left !== 0; left &= left - 1) {
      const i = 31 - Math.clz32(left & -left);
      const step = this.#paths[i]?.[depth - 1];
      if (step === undefined) continue;
      const matches =
        step.kind === 'key'
          ? !isElement && step.name === this.#key
          : (step.kind === 'any-element') === isElement;
      if (matches) alive |= 1 << i;
    }
    return alive;
  }

  /** The path that ends here, or -1. */
  #foundAt(alive: number, depth: number): number {
    if (alive === 0) return -1;
    const ending = alive & (this.#endingAt[depth] ?? 0);
    return ending === 0 ? -1 : 31 - Math.clz32(ending & -ending);
  }

  #openInside(isArray: boolean): void {
    this.#count(0, '');
    this.#keys.push(this.#key);
    this.#building.push({ array: isArray ? [] : null, object: isArray ? EMPTY : newObject() });
  }

  #put(key: string, value: JsonValue): void {
    const into = this.#building.at(-1);
    if (into === undefined || this.#tooLarge !== null) return;
    if (into.array === null) into.object[key] = value;
    else into.array.push(value);
  }

  #count(chars: number, example: JsonValue): void {
    this.#chars += chars;
    this.#nodes += 1;
    if (this.#chars > ELEMENT_CHARS_MAX || this.#nodes > ELEMENT_NODES_MAX)
      this.#refuse(OVERSIZED, typeof example === 'string' ? example : '');
  }

  #refuse(reason: string, example: string): void {
    if (this.#tooLarge !== null) return;
    this.#tooLarge = reason;
    this.#example = example.slice(0, 80);
  }
}

function endingsOf(paths: readonly (readonly Step[])[]): readonly number[] {
  const deepest = Math.max(0, ...paths.map((path) => path.length));
  return Array.from({ length: deepest + 1 }, (_, depth) =>
    paths.reduce((mask, path, i) => (path.length === depth ? mask | (1 << i) : mask), 0),
  );
}

/** Without a prototype, so that keys such as `__proto__` or `constructor` are ordinary keys. */
const newObject = (): { [key: string]: JsonValue } => Object.create(null);
const EMPTY = newObject();

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
