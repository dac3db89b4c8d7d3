import type { FormatParser, Sink } from './format.ts';
import { dateOf } from './json-date.ts';
import { type JsonValue, jsonElements } from './json-elements.ts';
import { exampleOf } from './json-entry.ts';
import { withoutWildcard } from './listed-name.ts';

/** About 64 MB of text at most; the longest known list has 100,001 entries. */
const HELD_ENTRIES_MAX = 1_000_000;
const HELD_CHARS_MAX = 32_000_000;
const EXAMPLE_CHARS = 80;
const USABLE = new Set(['string', 'hostname', 'cidr']);
const REASONS = {
  pattern: 'The list holds parts of texts or patterns, which match and are not listed.',
  notText: 'This entry of the list is no text.',
} as const;
/** `version` is often the day of the list, as in 20260820. */
const DAY_VERSION = /^20\d{6}$/;

/**
 * `{name, type, version, list[]}`. The published files write their keys in alphabetical order, so `type` comes after
 * `list` and the entries are held until it is known. Above the limit they are taken without it, because no list of
 * patterns is that long.
 */
export function mispWarninglist(sink: Sink): FormatParser {
  let type: string | null = null;
  let held: string[] = [];
  let heldChars = 0;

  const take = (text: string): void => {
    if (type !== null && !USABLE.has(type)) sink.unsupported(REASONS.pattern, text.slice(0, EXAMPLE_CHARS));
    else sink.entry({ text: withoutWildcard(text) });
  };
  const release = (): void => {
    for (const text of held) take(text);
    held = [];
    heldChars = 0;
  };
  const onEntry = (value: JsonValue): void => {
    if (typeof value !== 'string') sink.rejected(REASONS.notText, exampleOf(value));
    else if (type !== null) take(value);
    else {
      held.push(value);
      heldChars += value.length;
      if (held.length >= HELD_ENTRIES_MAX || heldChars >= HELD_CHARS_MAX) release();
    }
  };

  const stream = jsonElements(['list[*]', 'type', 'version'], {
    element: (value, path) => {
      if (path === 0) onEntry(value);
      else if (path === 1 && typeof value === 'string') {
        type = value;
        release();
      } else if (path === 2) {
        const ms = DAY_VERSION.test(exampleOf(value)) ? dateOf(exampleOf(value)) : undefined;
        if (ms !== undefined) sink.dataDate(ms);
      }
    },
    oversized: sink.rejected,
    broken: sink.rejected,
  });
  const end = (): void => {
    stream.end();
    release();
    type = null;
  };
  return { member: end, write: stream.write, end };
}
