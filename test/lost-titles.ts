/**
 * A title may have moved to another file or another describe block, so only the last part is compared; renames and
 * deliberate removals come as lines `old => new` and `old => (gone) reason`.
 */
export function lostTitles(
  before: readonly string[],
  after: readonly string[],
  renamed: string,
): { readonly lost: readonly string[]; readonly explained: number } {
  const now = new Set(after.map(lastPart));
  const changes = new Map(renamed.split('\n').flatMap((line) => changeIn(line)));
  const missing = [...new Set(before.map(lastPart))].filter((title) => !now.has(title));
  const isExplained = (title: string): boolean => {
    const to = changes.get(title);
    return to !== undefined && (/^\(gone\) \S/.test(to) || now.has(lastPart(to)));
  };
  const lost = missing.filter((title) => !isExplained(title));
  return { lost, explained: missing.length - lost.length };
}

const lastPart = (title: string): string => title.split(' > ').at(-1)?.trim() ?? title;

function changeIn(line: string): readonly (readonly [string, string])[] {
  const [from, to] = line.split(' => ');
  return from === undefined || to === undefined ? [] : [[lastPart(from), to.trim()]];
}
