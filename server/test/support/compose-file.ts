import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Variables = Readonly<Record<string, string>>;
type Yaml = string | number | boolean | null | readonly Yaml[] | { readonly [key: string]: Yaml };
export type ComposeService = { readonly environment: Variables; readonly command: readonly string[] };

/** Raised like Compose does: a variable that the file demands has no value. */
export class ComposeError extends Error {}

/**
 * The services of compose files with their variables replaced, as `docker compose -f A -f B config` shows them. Replacement
 * follows the Compose specification: values are replaced, keys are not, and what a variable holds is not read again.
 */
export function readCompose(
  files: readonly string[],
  variables: Variables,
): Readonly<Record<string, ComposeService>> {
  const services: Record<string, ComposeService> = {};
  for (const file of files) {
    const document = parse(readFileSync(file, 'utf8'), { merge: true, strict: true }) as {
      services: Readonly<Record<string, Yaml>>;
    };
    for (const [name, service] of Object.entries(document.services)) {
      const replaced = replaceIn(service, variables) as Partial<ComposeService>;
      const environment: Record<string, string> = { ...services[name]?.environment };
      for (const [key, value] of Object.entries(replaced.environment ?? {})) environment[key] = String(value);
      services[name] = { environment, command: replaced.command ?? services[name]?.command ?? [] };
    }
  }
  return services;
}

function replaceIn(value: Yaml, variables: Variables): Yaml {
  if (typeof value === 'string') return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((each: Yaml) => replaceIn(each, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceIn(each, variables)]));
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;

/** `$X`, `${X}`, `${X:-default}`, `${X:?message}`, `${X:+value}`, the forms without a colon, and `$$` for a dollar. */
export function interpolate(text: string, variables: Variables): string {
  let done = '';
  let rest = text;
  for (let at = rest.indexOf('$'); at >= 0; at = rest.indexOf('$')) {
    done += rest.slice(0, at);
    rest = rest.slice(at + 1);
    if (rest.startsWith('$')) {
      done += '$';
      rest = rest.slice(1);
    } else if (rest.startsWith('{')) {
      const end = endOfBraces(rest);
      done += replaceBraced(rest.slice(1, end), variables);
      rest = rest.slice(end + 1);
    } else {
      const name = NAME.exec(rest)?.[0];
      if (name === undefined) throw new ComposeError(`Invalid template: '${text}'`);
      done += variables[name] ?? '';
      rest = rest.slice(name.length);
    }
  }
  return done + rest;
}

function endOfBraces(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  throw new ComposeError(`Invalid template: '$${text}'`);
}

function replaceBraced(inner: string, variables: Variables): string {
  const name = NAME.exec(inner)?.[0] ?? '';
  const [, colon = '', operator = '', word = ''] = /^(:?)([-?+])(.*)$/s.exec(inner.slice(name.length)) ?? [];
  if (name === '' || (operator === '' && inner !== name))
    throw new ComposeError(`Invalid template: '\${${inner}}'`);
  const value = variables[name];
  const isThere = value !== undefined && (colon === '' || value !== '');
  if (operator === '+') return isThere ? interpolate(word, variables) : '';
  if (isThere || operator === '') return value ?? '';
  if (operator === '-') return interpolate(word, variables);
  throw new ComposeError(`required variable ${name} is missing a value: ${interpolate(word, variables)}`);
}
