import { newestVulnerability } from './sample/vulnerabilities.ts';

export type ExampleCommand = { readonly path: string; readonly shows: string };

/** Calls that show one thing each, printed with the key; the sample of this day decides some of their ids. */
export const exampleCommands = (todayMs: number): readonly ExampleCommand[] => [
  { path: '/check?query=6.20.14.66', shows: 'a verdict with its sources, points and location' },
  { path: '/blocklist/download/blocklist-ips-c2.txt', shows: 'a blocklist for a firewall' },
  { path: `/cve/${newestVulnerability(todayMs)}`, shows: 'a vulnerability with CVSS, KEV and EPSS' },
  { path: '/cve-watch/findings', shows: 'what of the inventory is affected' },
  { path: '/ransomware/stats', shows: 'claims of ransomware groups' },
  { path: '/alerts', shows: 'what changed for the watched values' },
  { path: '/taxii2/api-root/collections', shows: 'collections for TAXII clients' },
  { path: '/api/pwned-passwords/range/5BAA6', shows: 'breached password hashes by prefix' },
];
