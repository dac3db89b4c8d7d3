/** A piece of a domain name. `note` says which letter of it is foreign or changed; null when none is. */
export type LetterPart = { readonly text: string; readonly note: string | null };

const SCRIPTS: readonly (readonly [name: string, script: RegExp])[] = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Latin', /\p{Script=Latin}/u],
];
const ASCII_MAX = 0x7f;
/** With more changes the names are too different for marked letters to explain the imitation. */
const CHANGES_MAX = 3;

/** Marks the letters of `name` from another alphabet, else those that differ from `of`; null when nothing is marked. */
export function letterParts(name: string, of: string): readonly LetterPart[] | null {
  const letters = Array.from(name);
  const foreign = letters.map((letter, at) =>
    (letter.codePointAt(0) ?? 0) > ASCII_MAX ? `letter ${at + 1} is ${scriptOf(letter)} ${letter}` : null,
  );
  const notes = foreign.some((note) => note !== null) ? foreign : changes(letters, Array.from(of));
  if (notes === null || notes.every((note) => note === null)) return null;
  return joined(letters, notes);
}

const scriptOf = (letter: string): string => {
  const found = SCRIPTS.find(([, script]) => script.test(letter))?.[0];
  return found === undefined ? 'not Latin:' : found === 'Latin' ? 'an accented' : found;
};

/** Letters without a note are joined into one piece. */
function joined(letters: readonly string[], notes: readonly (string | null)[]): readonly LetterPart[] {
  const parts: { text: string; note: string | null }[] = [];
  for (const [at, letter] of letters.entries()) {
    const note = notes[at] ?? null;
    const last = parts.at(-1);
    if (note === null && last?.note === null) last.text += letter;
    else parts.push({ text: letter, note });
  }
  return parts;
}

/** The fewest changes that turn `of` into `name`, as notes on the letters of `name`; null when there are too many. */
function changes(name: readonly string[], of: readonly string[]): readonly (string | null)[] | null {
  const cost = costs(name, of);
  if ((cost[name.length]?.[of.length] ?? Number.POSITIVE_INFINITY) > CHANGES_MAX) return null;
  const notes: (string | null)[] = name.map(() => null);
  let [at, to] = [name.length, of.length];
  while (at > 0 || to > 0) {
    const now = cost[at]?.[to] ?? 0;
    if (at > 0 && to > 0 && name[at - 1] === of[to - 1] && cost[at - 1]?.[to - 1] === now) {
      at -= 1;
      to -= 1;
    } else if (isSwap(name, of, at, to) && cost[at - 2]?.[to - 2] === now - 1) {
      const note = `letters ${at - 1} and ${at} are swapped`;
      [notes[at - 2], notes[at - 1]] = [note, note];
      at -= 2;
      to -= 2;
    } else if (at > 0 && to > 0 && cost[at - 1]?.[to - 1] === now - 1) {
      notes[at - 1] = `letter ${at} is ${name[at - 1]}, not ${of[to - 1]}`;
      at -= 1;
      to -= 1;
    } else if (at > 0 && cost[at - 1]?.[to] === now - 1) {
      notes[at - 1] = `letter ${at} is added`;
      at -= 1;
    } else {
      const beside = Math.max(0, at - 1);
      notes[beside] ??= `${of[to - 1]} is missing ${at === 0 ? 'before letter 1' : `after letter ${at}`}`;
      to -= 1;
    }
  }
  return notes;
}

const isSwap = (name: readonly string[], of: readonly string[], at: number, to: number): boolean =>
  at > 1 && to > 1 && name[at - 1] === of[to - 2] && name[at - 2] === of[to - 1];

/** Edit distances between all beginnings of both names; swapping two neighbouring letters counts as one change. */
function costs(name: readonly string[], of: readonly string[]): readonly (readonly number[])[] {
  const cost: number[][] = [];
  for (let at = 0; at <= name.length; at += 1) {
    const row: number[] = [];
    cost.push(row);
    for (let to = 0; to <= of.length; to += 1) {
      if (at === 0 || to === 0) {
        row.push(at + to);
        continue;
      }
      const isSame = name[at - 1] === of[to - 1];
      const options = [
        (cost[at - 1]?.[to - 1] ?? 0) + (isSame ? 0 : 1),
        (cost[at - 1]?.[to] ?? 0) + 1,
        (row[to - 1] ?? 0) + 1,
        ...(isSwap(name, of, at, to) ? [(cost[at - 2]?.[to - 2] ?? 0) + 1] : []),
      ];
      row.push(Math.min(...options));
    }
  }
  return cost;
}
