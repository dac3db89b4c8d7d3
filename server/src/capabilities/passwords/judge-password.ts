import type { PasswordVerdict } from './contract.ts';
import type { PwnedPassword } from './open-passwords.ts';
import { SOURCE, SOURCE_URL } from './source-words.ts';

const [COMMON_FROM, VERY_COMMON_FROM] = [10, 1_000];
const CHANGE = 'Do not use this password. Change it wherever it is used, and turn on a second factor.';
const NOT_FOUND =
  'This password is not in the list of breached passwords. That says nothing about its strength: choose a long one that is used nowhere else.';

/** The answer for a hash that was looked up (contract 4.10, decisions 3.19). */
export function judgePassword({ hashType, count, corpusUpdatedAt }: PwnedPassword): PasswordVerdict {
  const exposed = count > 0;
  return {
    indicatorType: 'password',
    hashType,
    exposed,
    verdict: exposed ? 'compromised' : 'not_found',
    count,
    prevalence: exposed ? prevalenceOf(count) : null,
    recommendation: exposed ? CHANGE : NOT_FOUND,
    source: SOURCE,
    sourceUrl: SOURCE_URL,
    corpusUpdatedAt,
    apiVersion: 'v2',
  };
}

function prevalenceOf(count: number): NonNullable<PasswordVerdict['prevalence']> {
  if (count >= VERY_COMMON_FROM) return 'very_common';
  return count >= COMMON_FROM ? 'common' : 'rare';
}
