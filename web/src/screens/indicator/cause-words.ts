/** Words that complete "Listed for", by category of the source. A category that is missing here is quoted. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    c2: 'command and control',
    ransomware: 'ransomware',
    malware: 'malware',
    phishing: 'phishing',
    botnet: 'botnet activity',
    exploit: 'exploit attempts',
    bruteforce: 'brute-force attempts',
    scam: 'scams',
    fraud: 'fraud',
    spam: 'spam',
    scanner: 'scanning',
    abuse: 'abuse',
    test: 'tests of scanners',
    'vulnerable-driver': 'being a vulnerable signed driver',
  }),
);

/** Categories that are shown as one of the categories above. */
const STANDS_FOR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'attack-source': 'bruteforce',
    'brute-force': 'bruteforce',
    'web-attack': 'exploit',
    'voip-fraud': 'fraud',
    sanctioned: 'fraud',
    'malicious-activity': 'abuse',
    aggregate: 'abuse',
    bot: 'abuse',
    'hijacked-netblock': 'malware',
    apt: 'malware',
    spyware: 'malware',
    stalkerware: 'malware',
    cryptojacking: 'malware',
    typosquat: 'scam',
    ddos: 'botnet',
  }),
);

export const causeWords = (category: string): string =>
  WORDS.get(STANDS_FOR.get(category) ?? category) ?? `“${category}”`;

const SHORT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    c2: 'C2',
    ransomware: 'Ransomware',
    malware: 'Malware',
    phishing: 'Phishing',
    botnet: 'Botnet',
    exploit: 'Exploits',
    bruteforce: 'Brute force',
    scam: 'Scam',
    fraud: 'Fraud',
    spam: 'Spam',
    scanner: 'Scanning',
    abuse: 'Abuse',
    test: 'Test file',
    'vulnerable-driver': 'Vulnerable driver',
  }),
);

/** The words of a category in their short form of one or two words, for a tag. */
export const causeTag = (category: string): string =>
  SHORT.get(STANDS_FOR.get(category) ?? category) ?? category;

export const KNOWN_CAUSES: readonly string[] = [...WORDS.keys(), ...STANDS_FOR.keys()];
