import { FAMILY_TABLE, NO_FAMILY } from './family-table.ts';

/** Prefixes that lists put before a family name: a platform, or a mark for a group or an exploit kit. */
const PREFIX =
  /^(?:(?:win|win32|win64|elf|apk|js|ps1|osx|macos|py|vbs|jar|asp|php|ios|aix|symbian)\.|(?:android|elf|osx|ios|apt|ek)_)/;
/** A list that outgrew one file continues in files named `name-1`, `name-2`. */
const CONTINUED = /^([a-z0-9_]+)-\d$/;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;

const compact = (word: string): string => word.replaceAll(SEPARATORS, '');

const named: ReadonlyMap<string, string> = new Map(
  FAMILY_TABLE.flatMap(([name, ...others]) =>
    [name, ...others].map((word) => [compact(word.toLowerCase()), name] as const),
  ),
);
const nameless: ReadonlySet<string> = new Set(NO_FAMILY);

/**
 * One name for all spellings of a malware family; null for a word that names none. Unknown families keep their letters
 * and digits, so that spellings which differ in case, separators or platform are still one name.
 */
export function familyNameOf(sourceWord: string): string | null {
  const word = sourceWord.trim().normalize('NFKC').toLowerCase();
  const whole = compact(word);
  if (whole === '' || nameless.has(whole)) return null;
  const known = named.get(whole);
  if (known !== undefined) return known;
  const bare = compact((CONTINUED.exec(word)?.[1] ?? word).replace(PREFIX, ''));
  if (bare === '' || nameless.has(bare)) return null;
  // A bare number, as in `apt_28`, is a name only together with its prefix.
  if (/^\d+$/.test(bare)) return named.get(whole) ?? capitalised(whole);
  return named.get(bare) ?? capitalised(bare);
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
