import { scoreCategoryOf } from './categories.ts';
import type { Findings } from './findings.ts';
import type { ScoreCategory } from './model.ts';

/**
 * The ATT&CK (Enterprise) techniques of a category. Only what the accusation itself describes: nothing before or
 * after it, and no group (G6). Spam and abuse describe no technique.
 */
export const TECHNIQUES_OF: Readonly<Record<ScoreCategory, readonly string[]>> = {
  /** Application Layer Protocol: infected hosts communicate with it. */
  c2: ['T1071'],
  /** Data Encrypted for Impact: the effect of ransomware. */
  ransomware: ['T1486'],
  /** Ingress Tool Transfer: it serves or is the file that is loaded onto a victim. */
  malware: ['T1105'],
  /** Phishing: the lure leads to it. */
  phishing: ['T1566'],
  /** Compromise Infrastructure, Botnet: it is a member of one. */
  botnet: ['T1584.005'],
  /** Exploit Public-Facing Application: it was seen trying. */
  exploit: ['T1190'],
  /** Brute Force: it was seen guessing passwords. */
  bruteforce: ['T1110'],
  /** Impersonation: it poses as a trusted party. */
  scam: ['T1656'],
  /** Financial Theft: the aim of the fraud. */
  fraud: ['T1657'],
  spam: [],
  /** Active Scanning: it was seen probing. */
  scanner: ['T1595'],
  abuse: [],
  test: [],
};

/** A publisher's category that is more specific than the score category (ruling 2) replaces its techniques. */
export const TECHNIQUES_OF_WORD: Readonly<Record<string, readonly string[]>> = {
  /** Resource Hijacking: it mines on machines of others. */
  cryptojacking: ['T1496'],
  /** Network Denial of Service. */
  ddos: ['T1498'],
  /** Acquire Infrastructure, Domains: a name bought to be mistaken for another. */
  typosquat: ['T1583.001'],
  /** Exploitation for Privilege Escalation: attackers install such a driver to gain privileges. */
  'vulnerable-driver': ['T1068'],
};

/** User Execution, Malicious File: the technique of a file itself is that a user runs it. */
const MALICIOUS_FILE = 'T1204.002';

/** The techniques of the counted categories, sorted; none at level safe or inconclusive. */
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
