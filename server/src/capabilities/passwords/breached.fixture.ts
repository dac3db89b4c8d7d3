import { createHash } from 'node:crypto';

export type Breached = { readonly hash: string; readonly count: number };

export const sha1Of = (password: string): string => createHash('sha1').update(password).digest('hex');

/** 1,000 hashes of made-up passwords, in order; `digits` 32 stands in for NTLM, which is as evenly distributed. */
export function breachedHashes(digits: 32 | 40 = 40, total = 1_000): readonly Breached[] {
  return Array.from({ length: total }, (_, at) => ({
    hash: sha1Of(`made-up-${at}`).slice(0, digits).toUpperCase(),
    count: at + 1,
  })).toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
}

export const listOf = (hashes: readonly Breached[]): string =>
  hashes.map(({ hash, count }) => `${hash}:${count}\r\n`).join('');
