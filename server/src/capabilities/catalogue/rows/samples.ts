import { DAY, defineRows } from '../define-rows.ts';
import { APACHE_2, attributed, BSD_2, copyleft, freeToUse, MIT, PUBLIC_DOMAIN } from '../licences.ts';

const CISA = 'https://www.cisa.gov/sites/default/files';
const HASH_DB = 'https://raw.githubusercontent.com/aaryanrlondhe/Malware-Hash-Database/main';
const OFAC = 'https://raw.githubusercontent.com/0xB10C/ofac-sanctioned-digital-currency-addresses/lists';
const AMNESTY = 'https://raw.githubusercontent.com/AmnestyTech/investigations/master';
const STALKERWARE = 'https://raw.githubusercontent.com/AssoEchap/stalkerware-indicators/master';
const SIGNATURE_BASE = 'https://raw.githubusercontent.com/Neo23x0/signature-base/master/iocs';

const AMNESTY_LICENCE = attributed(
  'CC BY 2.0',
  'Indicators by Amnesty International (Amnesty Tech), CC BY 2.0',
);
const ECHAP_LICENCE = attributed('CC BY 4.0', 'Stalkerware indicators by Echap, CC BY 4.0');
const SIGNATURE_BASE_LICENCE = attributed(
  'Detection Rule License 1.1',
  'signature-base by Florian Roth and contributors, Detection Rule License 1.1; author names are kept',
);

/**
 * One file with two sorts of drivers, so it is two sources: signed drivers with holes, which honest software installs, and
 * malware that is a driver, such as Daxin. Only the first is called a vulnerable driver (O70).
 */
const LOL_DRIVERS = {
  publisher: 'LOLDrivers (magicsword.io)',
  urls: ['https://www.loldrivers.io/api/drivers.csv'],
  entityTypes: ['hash'],
  lineage: 'loldrivers',
  licence: APACHE_2,
  isDefault: true,
  bytes: 1_133_002,
} as const;
const lolDriversOf = (category: string) =>
  ({
    kind: 'csv',
    header: 'first',
    values: ['KnownVulnerableSamples_MD5', 'KnownVulnerableSamples_SHA1', 'KnownVulnerableSamples_SHA256'],
    only: { column: 'Category', values: [category] },
    siblings: true,
    firstSeen: 'Created',
  }) as const;

/**
 * Samples and published investigations. `signal: scanner` marks the repositories of malware samples, which may give the
 * verdict `malicious` for a file (decisions G13); a vulnerable driver is not a sample.
 */
export const SAMPLE_ROWS = defineRows({ threatClass: 'threat', category: 'malware', semantics: 'archive' }, [
  {
    id: 'eset-ioc',
    name: 'ESET research indicators',
    publisher: 'ESET',
    urls: ['https://codeload.github.com/eset/malware-ioc/tar.gz/refs/heads/master'],
    format: { kind: 'eset' },
    entityTypes: ['hash', 'domain', 'ip', 'url', 'email', 'crypto'],
    tags: ['report'],
    letter: 'A',
    fpRisk: 'low',
    signal: 'scanner',
    /** Its reports also name servers that honest services run: smtp-mail.outlook.com, api.telegram.org. */
    scannerKinds: ['hash'],
    licence: BSD_2,
    isDefault: true,
    entries: 16_965,
    bytes: 20_000_000,
  },
  {
    id: 'apt-digital-weapon',
    name: 'APT Digital Weapon',
    publisher: 'RedDrip7 (QiAnXin)',
    urls: ['https://codeload.github.com/RedDrip7/APT_Digital_Weapon/tar.gz/refs/heads/master'],
    format: { kind: 'markdown-digests' },
    entityTypes: ['hash'],
    tags: ['apt'],
    letter: 'A',
    fpRisk: 'low',
    signal: 'scanner',
    licence: copyleft('GPL-3.0'),
    /** The tables hold 32,929 digests; file names that look like digests are not counted. */
    isDefault: true,
    entries: 32_929,
    bytes: 40_000_000,
  },
  {
    id: 'signature-base-hashes',
    name: 'signature-base digests',
    publisher: 'Florian Roth (signature-base)',
    urls: [`${SIGNATURE_BASE}/hash-iocs.txt`],
    format: { kind: 'hash-comment' },
    entityTypes: ['hash'],
    letter: 'A',
    fpRisk: 'low',
    signal: 'scanner',
    lineage: 'signature-base',
    licence: SIGNATURE_BASE_LICENCE,
    isDefault: true,
    entries: 3_224,
    bytes: 467_698,
  },
  {
    id: 'signature-base-c2',
    name: 'signature-base command servers',
    publisher: 'Florian Roth (signature-base)',
    urls: [`${SIGNATURE_BASE}/c2-iocs.txt`],
    format: { kind: 'sectioned' },
    entityTypes: ['domain', 'ip'],
    category: 'c2',
    lineage: 'signature-base',
    licence: SIGNATURE_BASE_LICENCE,
    isDefault: true,
    entries: 1_844,
    bytes: 43_222,
    note: 'Old entries without dates.',
  },
  {
    id: 'malware-hash-db',
    name: 'Malware Hash Database',
    publisher: 'aaryanrlondhe (Malware Hash Database)',
    urls: [
      ...[3, 4, 5, 6, 7, 8].map((part) => `${HASH_DB}/MD5/md5_hashes_${part}.txt`),
      ...[2, 3, 4, 5, 6].map((part) => `${HASH_DB}/SHA1/sha1_hashes_${part}.txt`),
      ...[2, 3, 4, 5, 6].map((part) => `${HASH_DB}/SHA256/sha256_hashes_${part}.txt`),
    ],
    entityTypes: ['hash'],
    /** Measured: of 24,645 known-good digests only one is on any list of samples. */
    letter: 'B',
    fpRisk: 'low',
    signal: 'scanner',
    licence: MIT,
    isDefault: true,
    entries: 23_851,
    bytes: 1_118_577,
  },
  {
    id: 'malshare',
    name: 'MalShare samples of the day',
    publisher: 'MalShare',
    urls: ['https://malshare.com/api.php?api_key={key}&action=getlist'],
    format: { kind: 'json', each: ['[*]'], fields: { values: ['md5', 'sha1', 'sha256'], siblings: true } },
    entityTypes: ['hash'],
    letter: 'B',
    fpRisk: 'low',
    semantics: 'window',
    signal: 'scanner',
    licence: { ...freeToUse('MalShare terms of service'), mode: 'api-key' },
    key: { env: 'MALSHARE_KEY' },
    isDefault: true,
    entries: 3_000,
    bytes: 600_000,
    volume: { min: 10, max: 300_000 },
  },
  {
    id: 'cisa-stopransomware',
    name: 'CISA #StopRansomware indicators',
    publisher: 'CISA',
    urls: [
      `${CISA}/2023-12/AA23-352A-StopRansomware-Play-Ransomware.stix_.json`,
      `${CISA}/2024-05/AA24-131A-StopRansomware-Black-Basta.stix_.json`,
      `${CISA}/2025-03/AA25-071A-StopRansomware-Medusa-Ransomware.stix_.json`,
      `${CISA}/2025-11/AA24-109A-%23StopRansomware-Akira-Ransomware.stix_.json`,
    ],
    format: { kind: 'stix' },
    entityTypes: ['ip', 'domain', 'url', 'hash', 'email'],
    category: 'ransomware',
    tags: ['report'],
    letter: 'A',
    fpRisk: 'low',
    signal: 'scanner',
    scannerReason:
      'Joint advisories of CISA and the FBI: indicators that investigators found at victims of ransomware, with the dates of their use.',
    licence: PUBLIC_DOMAIN,
    isDefault: true,
    entries: 500,
    bytes: 2_000_000,
    volume: { min: 20, max: 20_000 },
    note: 'One file an advisory; new advisories are added here.',
  },
  {
    ...LOL_DRIVERS,
    id: 'loldrivers',
    name: 'LOLDrivers',
    format: lolDriversOf('vulnerable driver'),
    tags: ['vulnerable-driver'],
    entries: 5_354,
  },
  {
    ...LOL_DRIVERS,
    id: 'loldrivers-malicious',
    name: 'LOLDrivers, malicious drivers',
    format: lolDriversOf('malicious'),
    tags: ['malicious-driver'],
    entries: 989,
  },
  {
    id: 'amnesty-tech',
    name: 'Amnesty Tech investigations',
    publisher: 'Amnesty International (Amnesty Tech)',
    urls: [
      `${AMNESTY}/2021-07-18_nso/pegasus.stix2`,
      `${AMNESTY}/2021-12-16_cytrox/cytrox.stix2`,
      `${AMNESTY}/2024-05-02_wintego_helios/wintego_helios.stix2`,
    ],
    format: { kind: 'stix' },
    entityTypes: ['domain', 'email', 'hash', 'ip', 'url'],
    tags: ['spyware', 'report'],
    letter: 'A',
    fpRisk: 'low',
    licence: AMNESTY_LICENCE,
    isDefault: true,
    entries: 2_067,
    bytes: 1_665_042,
    /** Process and file names are unsupported; some objects name several. */
    rejectShareMax: 0.05,
  },
  {
    id: 'stalkerware',
    name: 'Stalkerware indicators, network',
    publisher: 'Echap (stalkerware indicators)',
    urls: [`${STALKERWARE}/ioc.yaml`],
    format: { kind: 'stalkerware-yaml' },
    entityTypes: ['domain', 'ip', 'url'],
    tags: ['stalkerware'],
    letter: 'A',
    /** 5.1 % of its entries are hosts that people visit: shops that sell such software. */
    fpRisk: 'medium',
    semantics: 'state',
    lineage: 'echap',
    licence: ECHAP_LICENCE,
    entries: 1_034,
    bytes: 94_552,
  },
  {
    id: 'stalkerware-samples',
    name: 'Stalkerware indicators, samples',
    publisher: 'Echap (stalkerware indicators)',
    urls: [`${STALKERWARE}/samples.csv`],
    format: { kind: 'csv', header: 'first', values: ['SHA256'], family: 'App' },
    entityTypes: ['hash'],
    tags: ['stalkerware'],
    letter: 'A',
    fpRisk: 'low',
    signal: 'scanner',
    lineage: 'echap',
    licence: ECHAP_LICENCE,
    isDefault: true,
    entries: 3_228,
    bytes: 357_917,
  },
  {
    id: 'ofac-crypto',
    name: 'OFAC sanctioned crypto addresses',
    publisher: 'US Treasury OFAC (list by 0xB10C)',
    urls: ['XBT', 'ETH', 'XMR', 'LTC', 'USDT', 'TRX', 'ZEC', 'DASH'].map(
      (coin) => `${OFAC}/sanctioned_addresses_${coin}.txt`,
    ),
    format: { kind: 'plain', entries: 'crypto' },
    entityTypes: ['crypto'],
    category: 'fraud',
    tags: ['sanctioned'],
    letter: 'A',
    fpRisk: 'low',
    semantics: 'state',
    licence: MIT,
    pollS: DAY,
    isDefault: true,
    entries: 638,
    bytes: 24_559,
  },
]);
