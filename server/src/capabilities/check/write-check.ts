import type { CheckResult } from './contract.ts';

/**
 * Serialising an answer took three quarters of the time of a check. Most of it are parts that subjects judged alike share
 * as one object that never changes, so the text of a part is kept as long as its object.
 */
const texts = new WeakMap<object, string>();

function keptText(part: object): string {
  const known = texts.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(part);
  texts.set(part, text);
  return text;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (isObject(value) ? keptText(value) : JSON.stringify(value));

/** These have the moment of the answer beside parts that are shared. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['evidence', 'dataTrust'] satisfies (keyof CheckResult)[]);

/** The same text as JSON.stringify. */
export const writeCheck = (result: CheckResult): string =>
  writeFields(result, (name, value) => {
    if (name === 'sources') return writeList(value as readonly object[]);
    return OF_THE_MOMENT.has(name) && isObject(value) ? writeFields(value, textOfField) : textOf(value);
  });

const textOfField = (_name: string, value: unknown): string => textOf(value);

/** Field names are those of our contract and need no escape. */
function writeFields(of: object, write: (name: string, value: unknown) => string): string {
  let text = '';
  for (const name of Object.keys(of)) {
    const value = (of as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) text += `${text === '' ? '{' : ','}"${name}":${write(name, value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function writeList(entries: readonly object[]): string {
  let text = '';
  for (const entry of entries) text += `${text === '' ? '[' : ','}${keptText(entry)}`;
  return text === '' ? '[]' : `${text}]`;
}
