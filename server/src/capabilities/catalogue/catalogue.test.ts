import { describe, expect, test } from 'vitest';
import { INFRASTRUCTURE_WORDS, SourceId, SourceSettings } from '#capabilities/corpus/index.ts';
import { CATALOGUE, findRow, settingsOf } from './catalogue.ts';
import type { CatalogueRow } from './catalogue-row.ts';

const rowOf = (id: string): CatalogueRow => {
  const row = findRow(id);
  if (row === null) throw new Error(`There is no row '${id}'.`);
  return row;
};
const idsWhere = (isWanted: (row: CatalogueRow) => boolean) =>
  CATALOGUE.filter(isWanted)
    .map(({ id }) => id)
    .toSorted();

/** The categories that the score knows (scoring 5). */
const SCORE_CATEGORIES = new Set(
  'c2 ransomware malware phishing botnet exploit bruteforce scam fraud spam scanner abuse test'.split(' '),
);
const PRIVATE_HOST = /^(?:localhost|\d+\.\d+\.\d+\.\d+|\[.*\]|[^.]+)$|\.(?:local|internal|test|example)$/;
const HOUR = 3_600;

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

describe('every row', () => {
  test('has an id of its own', () => {
    expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
    for (const { id } of CATALOGUE) expect(SourceId.safeParse(id).success, id).toBe(true);
  });

  test.each(CATALOGUE.map((row) => [row.id, row] as const))(
    '%s is a source the registry takes',
    (_id, row) => {
      expect(SourceSettings.strict().parse(settingsOf(row))).toEqual(settingsOf(row));
    },
  );

  test('is fetched over https from a public host, without a key in the address', () => {
    for (const { id, urls, key } of CATALOGUE) {
      expect(urls.length, id).toBeGreaterThan(0);
      for (const text of urls) {
        const url = new URL(text);
        expect(url.protocol, id).toBe('https:');
        expect(url.hostname, id).not.toMatch(PRIVATE_HOST);
        expect(url.username + url.password, id).toBe('');
        if (text.includes('{key}')) expect(key, id).toBeDefined();
      }
    }
  });

  test('is fetched no more often than its publisher allows', () => {
    for (const { id, pollS, minIntervalS } of CATALOGUE) {
      expect(minIntervalS, id).toBeGreaterThan(0);
      expect(minIntervalS, id).toBeLessThanOrEqual(pollS);
    }
    for (const id of idsWhere(({ lineage }) => lineage === 'spamhaus'))
      expect(rowOf(id).minIntervalS, id).toBeGreaterThanOrEqual(HOUR);
    expect(rowOf('abuseipdb').minIntervalS * 5).toBeGreaterThanOrEqual(24 * HOUR);
  });

  test('has limits that make sense', () => {
    for (const { id, volume, bytesMax, rejectShareMax = 0 } of CATALOGUE) {
      expect(volume.min, id).toBeGreaterThanOrEqual(0);
      expect(volume.max, id).toBeGreaterThan(volume.min);
      expect(bytesMax, id).toBeGreaterThanOrEqual(1_000_000);
      expect(bytesMax, id).toBeLessThanOrEqual(512_000_000);
      expect(rejectShareMax, id).toBeLessThanOrEqual(1);
    }
    for (const id of idsWhere(({ lineage }) => lineage === 'maltrail'))
      expect(rowOf(id).rejectShareMax, id).toBe(0.1);
  });

  test('with terms an operator must accept is off until they are', () => {
    expect(idsWhere(({ licence, isDefault }) => licence.optIn === true && isDefault)).toEqual([]);
    expect(idsWhere(({ licence }) => licence.optIn === true && licence.redistributable)).toEqual([]);
    expect(idsWhere(({ licence }) => licence.optIn === true)).toEqual(
      expect.arrayContaining(['abuseipdb', 'c2intelfeeds', 'dshield', 'openphish', 'phishing-army']),
    );
  });

  test('that needs a key says so in its licence, and only such a row', () => {
    expect(idsWhere(({ key }) => key !== undefined)).toEqual(
      idsWhere(({ licence }) => licence.mode === 'api-key'),
    );
    expect(CATALOGUE.flatMap(({ key }) => key?.env ?? []).toSorted()).toEqual(
      [
        'ABUSEIPDB_KEY',
        'ABUSE_CH_AUTH_KEY',
        'CLOUDFLARE_RADAR_TOKEN',
        'MALSHARE_KEY',
        'PHISHTANK_KEY',
      ].toSorted(),
    );
  });

  test('that is off by default but free says why, unless it exists only for its copy in the data set', () => {
    for (const id of ['c2-tracker', 'circl-osint', 'malwarebazaar-full', 'crux']) {
      expect(rowOf(id).isDefault, id).toBe(false);
      expect(rowOf(id).offReason ?? rowOf(id).note, id).toBeDefined();
    }
  });
});

describe('threat rows', () => {
  const threats = CATALOGUE.filter(({ threatClass }) => threatClass === 'threat');

  test('use the words of the score for their category', () => {
    for (const { id, category } of threats) expect([...SCORE_CATEGORIES], id).toContain(category);
  });

  test('carry neither a guard nor an infrastructure word', () => {
    expect(
      threats.filter(({ guard, attributes }) => guard !== undefined || attributes !== undefined),
    ).toEqual([]);
  });

  test('have the letters of the table below', () => {
    for (const [letter, ids] of Object.entries(LETTERS))
      for (const id of ids) expect(`${id} ${rowOf(id).letter}`).toBe(`${id} ${letter}`);
    const graded = new Set(Object.values(LETTERS).flat());
    expect(threats.filter(({ id, letter }) => letter !== 'C' && !graded.has(id)).map(({ id }) => id)).toEqual(
      [],
    );
  });

  test('are scanner signal only where the source collects samples or verifies each entry itself', () => {
    expect(idsWhere(({ signal }) => signal === 'scanner')).toEqual(SCANNER_SIGNAL.toSorted());
  });

  test('are aggregates only by declaration, and then at most 0.40 reliable', () => {
    expect(idsWhere(({ aggregate }) => aggregate === true)).toEqual(LETTERS.D.toSorted());
    for (const id of LETTERS.D) expect(settingsOf(rowOf(id)).reliability, id).toBeLessThanOrEqual(0.4);
    expect(settingsOf({ ...rowOf('ipsum'), letter: 'A' }).reliability).toBe(0.4);
    expect(settingsOf(rowOf('feodo')).reliability).toBe(0.95);
  });

  test('are of owned ranges only where the publisher lists owners', () => {
    expect(idsWhere(({ cidrSemantics }) => cidrSemantics === 'owned')).toEqual([
      'spamhaus-asndrop',
      'spamhaus-drop',
      'spamhaus-drop-v6',
    ]);
    expect(settingsOf(rowOf('et-block'))).toMatchObject({ cidrSemantics: 'observed', category: 'abuse' });
  });

  test('of one operator are one lineage', () => {
    expect(new Set(idsWhere(({ lineage }) => lineage === 'blocklist-de'))).toEqual(
      new Set(CATALOGUE.flatMap(({ id }) => (id.startsWith('blocklist-de') ? [id] : []))),
    );
    expect(rowOf('et-compromised').lineage).toBe(rowOf('bruteforceblocker').lineage);
    expect(rowOf('cps-threatfox').lineage).toBe(rowOf('threatfox').lineage);
    expect(idsWhere(({ lineage }) => lineage === 'maltrail')).toHaveLength(4);
  });
});

describe('context rows', () => {
  test('guard by name, as the ruling says', () => {
    for (const [guard, ids] of Object.entries(GUARDED))
      for (const id of ids) expect(`${id} ${rowOf(id).guard}`).toBe(`${id} ${guard}`);
    expect(idsWhere(({ guard }) => guard !== undefined)).toEqual(Object.values(GUARDED).flat().toSorted());
  });

  test.each(labelOnly())('%s labels and never guards', (id) => {
    expect(rowOf(id).guard).toBeUndefined();
  });

  test('use the infrastructure words of the decisions', () => {
    for (const { id, attributes = [] } of CATALOGUE)
      for (const attribute of attributes) expect([...INFRASTRUCTURE_WORDS], id).toContain(attribute);
    expect(rowOf('x4bnet-datacenter').attributes).toEqual(['cloud']);
    expect(rowOf('icloud-private-relay').attributes).toEqual(['proxy']);
    for (const id of ['tor-relays', 'tor-nodes-all', 'et-tor'])
      expect(rowOf(id)).toMatchObject({ tags: ['tor-relay'] });
    expect(
      idsWhere(({ tags, attributes }) => tags?.includes('tor-relay') === true && attributes !== undefined),
    ).toEqual([]);
  });

  test('a popularity list has a rank for each entry or one for all', () => {
    for (const { id, guard, rankMax, format } of CATALOGUE)
      if (guard === 'popularity')
        expect(rankMax !== undefined || (format.kind === 'csv' && format.rank !== undefined), id).toBe(true);
    expect(rowOf('misp-cloudflare-top100k').rankMax).toBe(100_000);
  });

  test('advertising lists are policy', () => {
    for (const id of idsWhere(({ adOnly }) => adOnly === true))
      expect(rowOf(id).threatClass, id).toBe('policy');
    expect(settingsOf(rowOf('stevenblack')).adOnly).toBe(true);
    expect(rowOf('maltrail-suspicious').threatClass).toBe('policy');
    expect(rowOf('maltrail-mass-scanner').threatClass).toBe('infrastructure');
  });
});

describe('the sources of the default table', () => {
  test('are in the catalogue, at least 70 rows of them', () => {
    expect(defaultTable().length).toBeGreaterThanOrEqual(70);
    for (const id of defaultTable()) expect(findRow(id), id).not.toBeNull();
  });

  test('are fetched by default unless something forbids it', () => {
    for (const id of defaultTable()) {
      const { isDefault, licence, note, offReason } = rowOf(id);
      expect(isDefault || licence.optIn === true || (offReason ?? note) !== undefined, id).toBe(true);
    }
    expect(CATALOGUE.filter(({ isDefault }) => isDefault).length).toBeGreaterThanOrEqual(70);
  });
});

describe('settingsOf', () => {
  test('names a single type, or mixed', () => {
    expect(settingsOf(rowOf('feodo')).type).toBe('ip');
    expect(settingsOf(rowOf('threatfox')).type).toBe('mixed');
  });

  test.each([
    ['feodo', 'csv'],
    ['dshield', 'csv'],
    ['threatfox', 'json'],
    ['spamhaus-drop', 'json'],
    ['misp-akamai', 'json'],
    ['stevenblack', 'hosts'],
    ['amnesty-tech', 'stix'],
    ['adguard-dns', 'text'],
    ['greensnow', 'text'],
  ])('%s is %s in the words of the contract', (id, format) => {
    expect(settingsOf(rowOf(id)).format).toBe(format);
  });

  test('schedules the default sources and leaves the rest to the operator', () => {
    expect(settingsOf(rowOf('feodo'))).toMatchObject({ scheduled: true, enabled: true });
    expect(settingsOf(rowOf('dshield'))).toMatchObject({ scheduled: false, enabled: true });
  });

  test('declares no lineage where the catalogue declares none', () => {
    expect(settingsOf(rowOf('greensnow'))).not.toHaveProperty('lineage');
    expect(settingsOf(rowOf('greensnow'))).not.toHaveProperty('guard');
  });
});

test('an unknown id has no row', () => {
  expect(findRow('no-such-source')).toBeNull();
});

const LETTERS = {
  A: words(`
    spamhaus-drop spamhaus-drop-v6 spamhaus-asndrop feodo sslbl threatfox urlhaus urlhaus-recent
    urlhaus-hosts urlhaus-payloads malwarebazaar-recent malwarebazaar-full eset-ioc amnesty-tech
    stalkerware stalkerware-samples ofac-crypto apt-digital-weapon signature-base-hashes
    cisa-stopransomware misp-eicar
  `),
  B: [
    ...words(`
    malware-hash-db malshare phishtank polkadot-phishing cins-army greensnow bruteforceblocker et-compromised blocklist-de
    blocklist-de-ssh blocklist-de-mail blocklist-de-apache blocklist-de-imap blocklist-de-bots
    blocklist-de-sip blocklist-de-ftp blocklist-de-strongips blocklist-de-bruteforce maltrail-malware
    maltrail-malicious c2intelfeeds c2-tracker phishing-database phishing-database-inactive destroylist
    destroylist-community global-anti-scam jarelllama-scam data-shield cps-threatfox cps-abuse-ch
    cps-cobaltstrike cps-avanzato cps-log4j cps-atomspam cps-sip cps-cobaltstrike-domains cps-predict
    blp-ransomware blp-scam blp-malware-ip blp-phishing
    `),
    /** Without an offline file: their letters were set when the row was written. */
    ...words(`
    openphish cert-polska infoblox botvrij circl-osint
    `),
  ],
  D: words(`
    ipsum firehol-level1 firehol-level2 firehol-level3 et-block cps-collected romainmarcoux-ip
    romainmarcoux-domains romainmarcoux-hashes bitwire-outbound bitwire-inbound
  `),
};

const SCANNER_SIGNAL = [
  /** Trackers that verify each entry themselves (O60). */
  ...words(`
  threatfox c2intelfeeds urlhaus
  `),
  ...words(`
  eset-ioc apt-digital-weapon malware-hash-db signature-base-hashes stalkerware-samples
  misp-eicar
  `),
  /** Without an offline file: repositories of samples and a ransomware indicator set (decisions G13). */
  ...words(`
  malwarebazaar-recent malwarebazaar-full urlhaus-payloads malshare cisa-stopransomware
  `),
];

const GUARDED = {
  service: words(`
    akamai bunny-cdn cloudflare fastly googlebot microsoft-365 telegram misp-akamai misp-apple
    misp-bunny-net misp-cloudflare misp-crl-hostname misp-crl-ip misp-fastly misp-google-gmail-sending-ips misp-googlebot
    misp-microsoft-office365-ip misp-smtp-receiving-ips misp-smtp-sending-ips misp-stackpath
    misp-telegram-ips misp-wikimedia
  `),
  'shared-egress': ['icloud-private-relay', 'misp-icloud-private-relay', 'misp-zscaler', 'zscaler'],
  scanner: words(`
    maltrail-mass-scanner misp-tenable-cloud-ipv4
    modat-scanner onyphe-scanner misp-censys-scanning misp-internet-census-nt-scanning
    misp-coalition-signals-intelligence-nt-scanning misp-modat-scanner misp-onyphe-scanner
    misp-rapid7-nt-scanning misp-shadowserver misp-shodan-scanning misp-stretchoid-nt-scanning
  `),
  anonymity: ['cyberghost', 'nordvpn', 'protonvpn', 'tor-exits', 'tor-nodes-exits', 'x4bnet-vpn'],
  'known-good': words(`
    ccadb-roots misp-bank-website misp-captive-portals misp-common-ioc-false-positive
    misp-findip-host misp-google misp-microsoft misp-microsoft-office365
    misp-mozilla-ca misp-ti-falsepositives misp-university-domains
    misp-whats-my-ip
  `),
  popularity: words(`
    cloudflare-radar crux majestic tranco umbrella misp-cloudflare-top100k misp-cloudflare-top10k
    misp-majestic-million misp-moz-top500 misp-tranco10k
  `),
  platform: ['misp-link-in-bio', 'misp-lots-project', 'misp-public-ipfs-gateways', 'misp-url-shortener'],
};

/** Sources that must not guard: 40 to 61 % of the entries of honest threat lists lie in them (scoring finding 10). */
function labelOnly(): readonly string[] {
  return words(`
    aws gcp google azure oracle-cloud digitalocean linode vultr github misp-amazon-aws misp-google-gcp
    misp-microsoft-azure misp-oracle-oci misp-ovh-cluster misp-vpn-ipv4 misp-vpn-ipv6
    misp-public-dns-hostname misp-public-dns-v4 misp-public-dns-v6 public-dns-info x4bnet-datacenter
    bad-asn-list misp-dynamic-dns tor-relays tor-nodes-all et-tor
  `);
}

/** The sources that are fetched by default or that an operator may opt into. */
function defaultTable(): readonly string[] {
  return words(`
    feodo threatfox sslbl spamhaus-drop spamhaus-drop-v6 spamhaus-asndrop blocklist-de blocklist-de-ssh
    blocklist-de-mail blocklist-de-apache blocklist-de-imap blocklist-de-bots blocklist-de-sip
    blocklist-de-ftp blocklist-de-strongips cins-army greensnow et-compromised bruteforceblocker dshield
    dataplane-sshpwauth dataplane-sshclient dataplane-telnetlogin dataplane-sipquery dataplane-vncrfb
    dataplane-smtpgreet dataplane-dnsrd dataplane-proto41 turris-greylist binary-defense ipsum
    threatview-c2 c2-tracker viriback stopforumspam stopforumspam-toxic abuseipdb ellio-community
    urlhaus urlhaus-recent urlhaus-hosts openphish phishtank phishing-army cert-polska phishstats
    maltrail-malware kadhosts botvrij vxvault infoblox circl-osint nrd-week stopforumspam-emails
    malwarebazaar-recent malwarebazaar-full urlhaus-payloads malshare cisa-stopransomware
    misp-ti-falsepositives tor-exits tor-relays x4bnet-vpn x4bnet-datacenter icloud-private-relay aws
    gcp google azure oracle-cloud digitalocean misp-ovh-cluster cloudflare fastly misp-akamai bunny-cdn
    github zscaler microsoft-365 googlebot bingbot gptbot public-dns-info dnscrypt-resolvers doh-dibdot
    modat-scanner onyphe-scanner misp-censys-scanning misp-sinkholes misp-url-shortener misp-link-in-bio
    misp-dynamic-dns misp-lots-project misp-public-ipfs-gateways misp-parking-domain socks-proxies
    ssl-proxies team-cymru-fullbogons stevenblack adaway yoyo easyprivacy adguard-dns
    disposable-email-domains free-email tranco cloudflare-radar umbrella crux majestic misp-crl-hostname
    ccadb-roots
  `);
}
