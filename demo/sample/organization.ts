import { WATCHED_VICTIM } from './claims.ts';
import { EICAR } from './eicar.ts';
import { digest } from './values.ts';

/** The invented organization to which the printed key belongs: what it blocks, watches and works on. */

export const ORGANIZATION = 'Northwharf Security (invented)';
export const OWNER = 'demo@example.com';
export const MEMBERS = [
  { email: 'ada.analyst@example.com', role: 'ADMIN' },
  { email: 'ben.responder@example.com', role: 'MEMBER' },
  { email: 'cleo.auditor@example.com', role: 'VIEWER' },
] as const;

export type OwnIndicator = {
  readonly type: 'ip' | 'domain' | 'hash';
  readonly value: string;
  readonly category?: string;
  readonly comment?: string;
  readonly disposition?: 'block' | 'allow';
  readonly reason?: string;
};

export const OWN_INDICATORS: readonly OwnIndicator[] = [
  { type: 'ip', value: '6.20.14.66', category: 'c2', comment: 'Beacon of the laptop in case 1' },
  { type: 'ip', value: '6.71.200.0/24', category: 'bruteforce', comment: 'Attempts on the VPN gateway' },
  { type: 'ip', value: '11.14.9.31', category: 'scam', comment: 'Calls to the help desk led here' },
  {
    type: 'domain',
    value: 'signin.kestrelpay.example.net',
    category: 'phishing',
    comment: 'Mail to finance',
  },
  { type: 'domain', value: 'invoice-portal.example.org', category: 'phishing', comment: 'Second wave' },
  { type: 'domain', value: 'cdn-update.example.com', category: 'malware', comment: 'Second stage' },
  {
    type: 'hash',
    value: digest('sha256', 'a tool of the red team'),
    category: 'malware',
    comment: 'Found on ws-fin-12',
  },
  { type: 'ip', value: '214.12.5.20', disposition: 'allow', reason: 'Research scanner that we hired' },
  {
    type: 'domain',
    value: 'status.lumenpost.example.com',
    disposition: 'allow',
    reason: 'Status page of our supplier',
  },
];

/** Published on lists after the values below are watched, so that alerts say what changed. */
export const LISTED_TODAY = [
  { source: 'sample-phishing-domains', text: 'portal.harborbank.example.org' },
  { source: 'sample-ssh-brute-force', text: '214.90.200.10' },
] as const;

export const WATCHED = [
  { value: 'portal.harborbank.example.org', label: 'Customer portal' },
  { value: WATCHED_VICTIM, label: 'Payment provider' },
  { value: '214.90.200.10', label: 'Office exit' },
  { value: 'wikipedia.org', label: 'Reference' },
  { value: '21.40.9.113', label: 'Exit seen in the web log' },
  { value: 'security@northwharf.example.org', label: 'Published mailbox' },
] as const;

export type SampleCase = {
  readonly title: string;
  readonly description: string;
  readonly priority: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
  readonly entityType: 'ip' | 'domain' | 'hash' | 'cve';
  readonly entityValue: string;
  readonly ageHours: number;
  /** Pieces of evidence, each some hours after the one before. */
  readonly evidence: readonly { readonly kind: string; readonly title: string; readonly payload: object }[];
  /** The status at the end. */
  readonly status: 'OPEN' | 'IN_PROGRESS' | 'RESOLVED' | 'CLOSED';
};

export const casesWith = (cveId: string): readonly SampleCase[] => [
  {
    title: 'Beacon from a laptop in finance',
    description: 'The proxy log shows a connection every 60 seconds.',
    priority: 'HIGH',
    entityType: 'ip',
    entityValue: '6.20.14.66',
    ageHours: 50,
    evidence: [
      {
        kind: 'check_result',
        title: 'Verdict at the time',
        payload: { query: '6.20.14.66', word: 'Malicious' },
      },
      {
        kind: 'note',
        title: 'Laptop isolated',
        payload: { host: 'ws-fin-12', by: 'ada.analyst@example.com' },
      },
      { kind: 'indicator', title: 'Address blocked', payload: { type: 'ip', value: '6.20.14.66' } },
    ],
    status: 'IN_PROGRESS',
  },
  {
    title: 'Phishing mail that imitates Kestrelpay',
    description: 'Fourteen people received it, two opened the page.',
    priority: 'MEDIUM',
    entityType: 'domain',
    entityValue: 'signin.kestrelpay.example.net',
    ageHours: 29,
    evidence: [
      {
        kind: 'mail_scan',
        title: 'Scan of the message',
        payload: { subject: 'Your payment was returned', links: ['https://signin.kestrelpay.example.net/'] },
      },
      { kind: 'note', title: 'Passwords of two people changed', payload: { people: 2 } },
    ],
    status: 'OPEN',
  },
  {
    title: `${cveId} in the web shop`,
    description: 'Known to be exploited. The update is being tested.',
    priority: 'CRITICAL',
    entityType: 'cve',
    entityValue: cveId,
    ageHours: 5,
    evidence: [{ kind: 'note', title: 'Update in the test environment', payload: { version: '4.2.9' } }],
    status: 'OPEN',
  },
  {
    title: 'Test file found in a mail archive',
    description: 'The EICAR file of a test of the mail gateway.',
    priority: 'LOW',
    entityType: 'hash',
    entityValue: EICAR.sha256,
    ageHours: 170,
    evidence: [{ kind: 'note', title: 'Left by the yearly test', payload: { folder: 'archive' } }],
    status: 'RESOLVED',
  },
];

/** Where the events of the organization are sent while the demonstration loads. */
export const WEBHOOK = {
  url: 'https://tickets.example.net/assay',
  description: 'Invented ticket system: it answered while the demonstration loaded, and is paused since',
  events: ['*'],
} as const;

/** Checks that the organization has saved. */
export const SAVED_CHECKS = [
  { value: '6.20.14.66', note: 'Beacon from a laptop in finance', tags: ['incident', 'c2'] },
  { value: 'signin.kestrelpay.example.net', note: 'Mail of this week', tags: ['phishing'] },
  { value: EICAR.sha256, note: 'Test of the mail gateway', tags: ['test'] },
  { value: 'status.lumenpost.example.com', note: 'Reported to the list as wrong', tags: ['supplier'] },
] as const;
