/** A version range that a record gives as text: bounds and whether each is included; null: no bound on this side. */
export type TextRange = {
  readonly low: { readonly version: string; readonly isInside: boolean } | null;
  readonly high: { readonly version: string; readonly isInside: boolean } | null;
};

const TOKEN = '[vV]?[0-9][0-9A-Za-z._+~-]*';
const COMPARISON = new RegExp(`^(<=|>=|=>|=<|==|<|>|=|\\u2264|\\u2265)\\s*(${TOKEN})$`);
const EXACT = new RegExp(`^(${TOKEN})$`);
const BETWEEN = new RegExp(`^(?:from\\s+)?(${TOKEN})\\s*(?:-|\\u2013|to|through|up to)\\s+(${TOKEN})$`, 'i');
const BEFORE = new RegExp(
  `^(?:(?:all\\s+)?versions?\\s+)?(?:before|prior to|earlier than|lower than)\\s+(?:version\\s+)?(${TOKEN})$`,
  'i',
);
const UP_TO = new RegExp(
  `^(?:(?:all\\s+)?versions?\\s+)?(?:up to|through|until)\\s+(?:version\\s+)?(${TOKEN})$`,
  'i',
);
const AND_EARLIER = new RegExp(
  `^(?:versions?\\s+)?(${TOKEN})\\s+(?:and|or)\\s+(?:earlier|prior|below|older|lower)(?:\\s+versions?)?$`,
  'i',
);
const ALL = /^(?:all(?: versions?)?|any(?: version)?|\*)$/i;
const PIECES_MAX = 50;

const SEPARATOR = /,|\|\||;|&&|\band\b(?!\s+(?:earlier|prior|below|older|lower))/;
/** `>= 3.4.0 < 3.12.4` has no sign between its bounds. */
const SECOND_BOUND = /(?<=[0-9A-Za-z])\s+(?=[<>])/;

const EVERYTHING: TextRange = { low: null, high: null };

/**
 * The ranges that a text such as `>= 1.29.0, < 1.30.2` or `1.4 and earlier` stands for. Null where it is not understood:
 * such an entry is unknown and never unaffected.
 */
export function rangesInText(text: string): readonly TextRange[] | null {
  const bare = withoutName(text.trim());
  if (ALL.test(bare)) return [EVERYTHING];
  const pieces = bare
    .split(SEPARATOR)
    .flatMap((piece) => piece.trim().split(SECOND_BOUND))
    .filter((piece) => piece !== '');
  if (pieces.length === 0 || pieces.length > PIECES_MAX) return null;
  const read = pieces.map((piece) => readPiece(piece.trim()));
  return read.includes(null) ? null : joinBounds(read.flatMap((range) => range ?? []));
}

/** `stable < 3.2.3` and `vendor/package: < 2.0` name a branch or a package before the range. */
function withoutName(text: string): string {
  const start = text.search(/[<>=\u2264\u2265]/);
  return start > 0 && /^[A-Za-z][\w./@ -]{0,100}:?\s+$/.test(text.slice(0, start)) ? text.slice(start) : text;
}

function readPiece(piece: string): TextRange | null {
  const comparison = COMPARISON.exec(piece);
  if (comparison !== null) return compared(comparison[1] ?? '', comparison[2] ?? '');
  // `2.5.x` is not one version but all that begin with 2.5.
  if (/\.x$/i.test(piece)) return null;
  const exact = EXACT.exec(piece)?.[1];
  if (exact !== undefined) return between(exact, true, exact, true);
  const range = BETWEEN.exec(piece);
  if (range !== null) return between(range[1] ?? '', true, range[2] ?? '', true);
  const before = BEFORE.exec(piece)?.[1];
  if (before !== undefined) return { low: null, high: { version: before, isInside: false } };
  const last = UP_TO.exec(piece)?.[1] ?? AND_EARLIER.exec(piece)?.[1];
  return last === undefined ? null : { low: null, high: { version: last, isInside: true } };
}

const between = (low: string, isLowInside: boolean, high: string, isHighInside: boolean): TextRange => ({
  low: { version: low, isInside: isLowInside },
  high: { version: high, isInside: isHighInside },
});

function compared(sign: string, version: string): TextRange {
  switch (sign) {
    case '<':
      return { low: null, high: { version, isInside: false } };
    case '<=':
    case '=<':
    case '\u2264':
      return { low: null, high: { version, isInside: true } };
    case '>':
      return { low: { version, isInside: false }, high: null };
    case '>=':
    case '=>':
    case '\u2265':
      return { low: { version, isInside: true }, high: null };
    default:
      return between(version, true, version, true);
  }
}

/** Joins a lower and an upper bound that follow each other, in either order; other ranges stay as they are. */
function joinBounds(ranges: readonly TextRange[]): readonly TextRange[] {
  const joined: TextRange[] = [];
  for (const range of ranges) {
    const previous = joined.at(-1);
    if (previous !== undefined && previous.high === null && previous.low !== null && range.low === null)
      joined[joined.length - 1] = { low: previous.low, high: range.high };
    else if (
      previous !== undefined &&
      previous.low === null &&
      previous.high !== null &&
      range.high === null &&
      range.low !== null
    )
      joined[joined.length - 1] = { low: range.low, high: previous.high };
    else joined.push(range);
  }
  return joined;
}
