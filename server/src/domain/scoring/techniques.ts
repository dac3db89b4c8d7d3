import { scoreCategoryOf } from './categories.ts';
import type { Findings } from './findings.ts';
import type { ScoreCategory } from './model.ts';

/**
 * What a listing of this category says was seen, in the words of ATT&CK (Enterprise). Only what the accusation itself
 * describes: no guess about what came before or after it, and no group (G6). Spam and abuse describe no technique.
 */
export const TECHNIQUES_OF: Readonly<Record<ScoreCategory, readonly string[]>> = {
  /** Application Layer Protocol: infected hosts talk to it. */
  c2: ['T1071'],
  /** Data Encrypted for Impact: what ransomware does. */
  ransomware: ['T1486'],
  /** Ingress Tool Transfer: it serves or is what gets loaded onto a victim. */
  malware: ['T1105'],
  /** Phishing: the lure leads to it. */
  phishing: ['T1566'],
  /** Compromise Infrastructure, Botnet: it acts as a member. */
  botnet: ['T1584.005'],
  /** Exploit Public-Facing Application: it was seen trying. */
  exploit: ['T1190'],
  /** Brute Force: it was seen guessing passwords. */
  bruteforce: ['T1110'],
  /** Impersonation: it poses as somebody who can be trusted. */
  scam: ['T1656'],
  /** Financial Theft: the aim of the fraud. */
  fraud: ['T1657'],
  spam: [],
  /** Active Scanning: it was seen probing. */
  scanner: ['T1595'],
  abuse: [],
};

/** Where the publisher's own word says more than the score's (ruling 2), it replaces it. */
export const TECHNIQUES_OF_WORD: Readonly<Record<string, readonly string[]>> = {
  /** Resource Hijacking: it mines on the machines of others. */
  cryptojacking: ['T1496'],
  /** Network Denial of Service. */
  ddos: ['T1498'],
  /** Acquire Infrastructure, Domains: a name bought to be mistaken for another. */
  typosquat: ['T1583.001'],
  /** Exploitation for Privilege Escalation: what such a driver is brought along for. */
  'vulnerable-driver': ['T1068'],
};

/** User Execution, Malicious File: of a file itself, what is seen is that somebody runs it. */
const MALICIOUS_FILE = 'T1204.002';

/** Techniques of the categories that count, sorted; none where the level claims nothing. */
export function techniquesOf({ of, level, scored }: Findings): readonly string[] {
  if (level === 'safe' || level === 'inconclusive') return [];
  const ids = new Set<string>();
  for (const { listing } of scored.counted) {
    const { category, tags } = listing.source;
    const word = [category, ...tags].find((name) => Object.hasOwn(TECHNIQUES_OF_WORD, name));
    const scoreCategory = scoreCategoryOf(category);
    if (word !== undefined) for (const id of TECHNIQUES_OF_WORD[word] ?? []) ids.add(id);
    else if (scoreCategory === 'malware' && of.subject.kind === 'hash') ids.add(MALICIOUS_FILE);
    else for (const id of TECHNIQUES_OF[scoreCategory]) ids.add(id);
  }
  return [...ids].sort();
}
