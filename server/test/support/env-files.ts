import { interpolate } from './compose-file.ts';

/** Reads `.env` as Docker Compose does: quotes, comments, escapes, and variables in values that have no single quotes. */
export function readDotEnv(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const entry =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.]*)[ \t]*[=:][ \t]*(?:'((?:\\'|[^'])*)'|"((?:\\.|[^"\\])*)"|([^\n]*))/gm;
  for (const [, name = '', single, double, plain = ''] of text.matchAll(entry)) {
    if (single !== undefined) values[name] = single.replaceAll("\\'", "'");
    else if (double !== undefined) values[name] = interpolate(unescapeDouble(double), values);
    else values[name] = interpolate(plain.replace(/(^|[ \t])#.*$/, '').trimEnd(), values);
  }
  return values;
}

const unescapeDouble = (text: string): string =>
  text.replace(/\\(.)/g, (whole, char: string) => {
    const known: Readonly<Record<string, string>> = {
      n: '\n',
      r: '\r',
      t: '\t',
      '\\': '\\',
      '"': '"',
      $: '$$',
    };
    return known[char] ?? whole;
  });

/** Reads a file of EnvironmentFile= as systemd does (systemd.exec): quotes, escapes, no variables, comments on own lines. */
export function readEnvironmentFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const line of text.replace(/\\\n/g, '').split('\n')) {
    const [, name, given = ''] = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && !/^\s*[#;]/.test(line)) values[name] = unquote(given);
  }
  return values;
}

const unquote = (text: string): string =>
  text.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^'"\\]+)/g, (_, single, double, escaped, plain) => {
    if (double !== undefined) return (double as string).replace(/\\(["\\`$])/g, '$1');
    return String(single ?? escaped ?? plain);
  });

/** A systemd unit: the values of each setting in the order of the file. */
export function readUnit(text: string): Readonly<Record<string, readonly string[]>> {
  const values: Record<string, string[]> = {};
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^([A-Z][A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (name !== '') values[name] = [...(values[name] ?? []), value];
  }
  return values;
}
