import type { Action } from '#platform/http/openapi-actions.ts';

/**
 * The operations of the short description for automation tools and assistants, by operation id. Tools show every operation
 * as a block of its own and cut texts at 300 characters, so each has a name and a sentence written for that place.
 */
export const ACTIONS: Readonly<Record<string, Action>> = {
  getCheck: {
    summary: 'Check an indicator',
    description:
      'Returns the verdict on one IP address, domain, URL or file hash: risk score, recommended action, reasons and the sources that list it. "Not listed" doesn\'t mean it is safe.',
  },
  postBulkCheck: {
    summary: 'Check many indicators',
    description:
      'Returns one row with a verdict for each of up to 500 IP addresses, domains, URLs, file hashes, email addresses and phone numbers. A value that cannot be read has its reason in `error`.',
  },
  getCheckEmail: {
    summary: 'Check an email address',
    description:
      'Returns the verdict on an email address and its domain: listings, disposable mailbox service, and the DNS records of the domain.',
  },
  getCheckWhois: {
    summary: 'Look up a registration',
    description:
      'Returns who registered a domain or IP address, and when, from RDAP or WHOIS. Null with a `message` when the source cannot be queried.',
  },
  getCheckRansomware: {
    summary: 'Check for ransomware claims',
    description:
      'Returns the ransomware claims about a domain or name, and whether a value is on a list of ransomware indicators. Claims are statements of the groups.',
  },
  postSearch: {
    summary: 'Find domains that imitate a brand',
    description:
      'Returns listed domains that look like a brand or its domain: typing errors, look-alike letters, other suffixes, added words. No hit says only that no list contains such a domain.',
  },
  getThreatIntelHistory: {
    summary: 'Get the history of an indicator',
    description:
      'Returns the verdict on an IP address or domain for each of the last days, with what was listed at that time. The record goes back 90 days at most.',
  },
  getThreatIntelAsn: {
    summary: 'Look up a network',
    description:
      'Returns the autonomous system of an IP address or AS number, and how much of it is listed. With `members=true` also its listed addresses.',
  },
  postMailScan: {
    summary: 'Scan an email message',
    description:
      'Returns a verdict, an action and reasons for one email message (phishing or malware). Send exactly one of `emlBase64`, `eml` and `message`. Links are not opened and nothing is stored.',
  },
  postGateScan: {
    summary: 'Scan text for prompt injection',
    description:
      'Returns whether a program should read a text or page: sentences that give orders to the reading program, and links that are on threat lists.',
  },
  getCve: {
    summary: 'Search vulnerabilities',
    description:
      'Returns CVE records that match all given filters (words, vendor, product, severity, known exploited, EPSS, dates), the newest first. `nextCursor` leads to the next page.',
  },
  getCveId: {
    summary: 'Get a vulnerability',
    description:
      'Returns the record of one CVE id: severity, scores, known exploitation, EPSS, affected products, and the source of each statement.',
  },
  getRansomwareFeed: {
    summary: 'List new ransomware claims',
    description:
      'Returns the newest claims that ransomware groups published about victims. Claims are statements of the groups; `disclaimer` says so.',
  },
  getRansomwareGroupProfile: {
    summary: 'Get a ransomware group',
    description: 'Returns what sources say about one ransomware group, with its claims and other names.',
  },
  getOrgIndicators: {
    summary: 'List indicators of the organization',
    description: 'Returns the values that your organization blocks or allows, the newest first.',
  },
  postOrgIndicators: {
    summary: 'Block or allow indicators',
    description:
      'Adds up to 100 IP addresses, ranges, domains or file hashes to the block or allow list of your organization. They count in its own checks and lists only.',
    changes: true,
  },
  deleteOrgIndicatorsId: {
    summary: 'Revoke an indicator of the organization',
    description: 'Takes one value off the block or allow list of your organization, by its id.',
    changes: true,
  },
  getMonitoring: {
    summary: 'List watched values',
    description: 'Returns the watchlist of your account, the newest first.',
  },
  postMonitoring: {
    summary: 'Watch a value',
    description:
      'Adds an IP address, domain, URL or email address to the watchlist. A later change of its risk level creates an alert.',
    changes: true,
  },
  postMonitoringUnwatch: {
    summary: 'Stop watching a value',
    description:
      'Removes a value from the watchlist, by `id` or by `entityType` and `value`. Its alerts stay.',
    changes: true,
  },
  getAlerts: {
    summary: 'List alerts',
    description:
      'Returns the open and acknowledged alerts of your account, the latest activity first. `reason` says why each was created.',
  },
  patchAlertsId: {
    summary: 'Change the status of an alert',
    description: 'Acknowledges, resolves or reopens one alert.',
    changes: true,
  },
  postCases: {
    summary: 'Create a case',
    description:
      'Creates a case for an investigation. It can refer to an alert, a finding or a saved check of the same account.',
    changes: true,
  },
  postCasesIdEvidence: {
    summary: 'Add evidence to a case',
    description: 'Adds an evidence item to a case. Evidence cannot be changed or deleted afterwards.',
    changes: true,
  },
  getSubscription: {
    summary: 'Get plan and usage',
    description: 'Returns the plan of your account, its limits, and what was used this month.',
  },
};
