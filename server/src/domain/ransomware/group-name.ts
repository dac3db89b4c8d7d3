import { claimText } from './claim-text.ts';

const NAME_MAX = 100;
/** `0mega (Dark)` is the Tor site of 0mega; what stands in brackets at the end is no part of the name. */
const REMARK = /\s*\([^()]*\)\s*$/;
const FAMILY_WORD = /[\s_-]+ransomware$/i;

export type GroupName = { readonly name: string; readonly key: string };

/** Two spellings are one group when they differ in case, blanks or punctuation alone: `FOG` and `fog`, never `lockbit2` and `lockbit3`. */
export const groupKeyOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Null when nothing of a name is left. */
export function readGroupName(text: unknown): GroupName | null {
  const said = claimText(text, NAME_MAX);
  if (said === null) return null;
  const name = said.replace(REMARK, '').replace(FAMILY_WORD, '').trim();
  const key = groupKeyOf(name);
  return key === '' ? null : { name, key };
}
