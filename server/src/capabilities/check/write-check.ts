import type { CheckResult } from './contract.ts';

/**
 * JSON texts by object, because serialising took three quarters of the time of a check. Most parts of an answer are
 * objects that never change and are shared by subjects judged alike.
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

/** Fields that hold the moment of the answer, so that only their parts are cached and not their whole text. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['evidence', 'dataTrust'] satisfies (keyof CheckResult)[]);

/** Writes the same text as JSON.stringify, with cached texts of shared parts. */
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
