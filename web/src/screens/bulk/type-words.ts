const WORDS: ReadonlyMap<string, readonly [one: string, many: string]> = new Map([
  ['ip', ['IP', 'IP addresses']],
  ['domain', ['Domain', 'Domains']],
  ['url', ['URL', 'URLs']],
  ['hash', ['Hash', 'File hashes']],
  ['email', ['E-mail', 'E-mail addresses']],
  ['phone', ['Phone', 'Phone numbers']],
  ['unknown', ['Other', 'Others']],
]);

export const typeWord = (type: string): string => WORDS.get(type)?.[0] ?? type;
export const typesWord = (type: string): string => WORDS.get(type)?.[1] ?? type;
