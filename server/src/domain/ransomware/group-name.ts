import { claimText } from './claim-text.ts';

const NAME_MAX = 100;
const FAMILY_WORD = ' ransomware';

export type GroupName = { readonly name: string; readonly key: string };

/** Two spellings are one group when they differ in case, blanks or punctuation alone: `FOG` and `fog`, never `lockbit2` and `lockbit3`. */
export const groupKeyOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** A group name as text and key; null if no letter or digit is left of it. */
export function readGroupName(text: unknown): GroupName | null {
  const said = claimText(text, NAME_MAX);
  if (said === null) return null;
  const name = withoutFamilyWord(withoutRemark(said));
  const key = groupKeyOf(name);
  return key === '' ? null : { name, key };
}

/** Removes a remark in brackets at the end: `0mega (Dark)` is the Tor site of 0mega. */
function withoutRemark(name: string): string {
  const start = name.endsWith(')') ? name.lastIndexOf('(') : -1;
  return start === -1 ? name : name.slice(0, start).trim();
}

const withoutFamilyWord = (name: string): string =>
  name.toLowerCase().endsWith(FAMILY_WORD) ? name.slice(0, -FAMILY_WORD.length).trim() : name;
