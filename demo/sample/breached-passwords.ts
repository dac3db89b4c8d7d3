import { createHash } from 'node:crypto';
import { randomOf } from './random.ts';

/** Passwords that everybody knows to be bad. Their counts are invented, as all other hashes of the list are. */
const FAMOUS =
  'password 123456 123456789 qwerty 12345678 111111 abc123 password1 iloveyou letmein welcome admin monkey dragon sunshine princess football'.split(
    ' ',
  );
/** So many that each prefix of the range search has neighbours, and no gap looks like a list that was cut. */
const COUNT = 40_000;
const COUNT_MAX = 40_000_000;

const sha1Of = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase();

/** Lines of `HASH:COUNT` in the order of the hashes, as the publisher of breached passwords writes them. */
export function renderPasswords(): string {
  const random = randomOf('passwords');
  const famous = FAMOUS.map((word, nth) => `${sha1Of(word)}:${Math.floor(COUNT_MAX / (nth + 1))}`);
  const others = Array.from(
    { length: COUNT },
    (_, nth) => `${sha1Of(`assay sample password ${nth}`)}:${1 + random.below(900)}`,
  );
  return `${[...famous, ...others].toSorted().join('\n')}\n`;
}
