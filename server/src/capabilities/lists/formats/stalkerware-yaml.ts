import type { FormatParser, Sink } from './format.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';
import { withoutTrailingComment } from './listed-name.ts';

const EXAMPLE_CHARS = 80;
const REASONS = {
  notListed: 'A package, certificate or its owner, which is not listed.',
  unknown: 'This line is not in the layout of the list.',
} as const;
/** Keys whose items are entries. `distribution` holds the places from which the app is downloaded. */
const LISTED = new Set(['websites', 'distribution', 'ips', 'ip', 'domains']);
const SAID_OF_THE_APP = new Set(['names', 'name', 'type']);
/** With `s`, because a line separator inside a line must not make the match fail repeatedly at its end. */
const APP = /^- +name *: *(.+)$/s;
const KEY = /^ +(?:- +)?([a-z0-9_]+) *:(.*)$/is;
const ITEM = /^ *- +(.+)$/s;

/**
 * The stalkerware project's ioc.yaml, and only its layout: apps, keys below them, lists of plain values. It is not a
 * YAML parser; anything else in the file is rejected, so that a change of the layout is noticed.
 */
export function stalkerwareYaml(sink: Sink): FormatParser {
  let app: string | undefined;
  let key = '';

  const onValue = (value: string): void => {
    const text = unquoted(value);
    if (LISTED.has(key)) sink.entry(app === undefined ? { text } : { text, family: app });
    else if (!SAID_OF_THE_APP.has(key)) sink.unsupported(REASONS.notListed, text.slice(0, EXAMPLE_CHARS));
  };
  const onLine = (raw: string): void => {
    const line = withoutTrailingComment(raw).trimEnd();
    if (line === '' || line.startsWith('#') || line === '---') return;
    const name = APP.exec(line)?.[1];
    const found = name === undefined ? KEY.exec(line) : null;
    const item = found === null ? ITEM.exec(line)?.[1] : undefined;
    if (name !== undefined) {
      app = unquoted(name).slice(0, EXAMPLE_CHARS);
      key = 'name';
    } else if (found !== null) {
      key = (found[1] ?? '').toLowerCase();
      const value = found[2]?.trim() ?? '';
      if (value !== '') onValue(value);
    } else if (item !== undefined) onValue(item);
    else sink.rejected(REASONS.unknown, line.slice(0, EXAMPLE_CHARS));
  };

  return lineParser(onLine, (start) => sink.rejected(LINE_TOO_LONG, start.slice(0, EXAMPLE_CHARS)));
}

const unquoted = (text: string): string => text.trim().replace(/^(['"])(.*)\1$/s, '$2');
