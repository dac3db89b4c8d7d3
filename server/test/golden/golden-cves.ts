/** Invented vulnerabilities in the formats of their sources, for golden answers with the clock at 26 August 2025. */

export const GOLDEN_NOW_MS = Date.UTC(2025, 7, 26, 12);
export const GOLDEN_CVE = {
  full: 'CVE-2025-1001',
  unscored: 'CVE-2025-1002',
  rejected: 'CVE-2025-1003',
  old: 'CVE-2025-1004',
  unheardOf: 'CVE-2025-9999',
} as const;

const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const CPE = 'cpe:2.3:a:example:gate_way:*:*:*:*:*:*:*:*';

const metadata = (cveId: string, published: string, state = 'PUBLISHED') => ({
  cveId,
  state,
  assignerShortName: 'example',
  datePublished: published,
  dateUpdated: '2025-08-25T10:00:00.000Z',
});
const affected = (product: string, lessThan: string) => [
  {
    vendor: 'Example',
    product,
    defaultStatus: 'unaffected',
    versions: [{ status: 'affected', version: '0', lessThan, versionType: 'semver' }],
  },
];

const FULL_RECORD = {
  dataType: 'CVE_RECORD',
  dataVersion: '5.1',
  cveMetadata: metadata(GOLDEN_CVE.full, '2025-08-20T10:00:00.000Z'),
  containers: {
    cna: {
      title: 'Command injection in the gate way',
      descriptions: [{ lang: 'en', value: 'The gate way of Example runs what it is sent.' }],
      affected: affected('Gate Way', '2.4.0'),
      metrics: [
        {
          cvssV4_0: {
            version: '4.0',
            baseScore: 9.3,
            baseSeverity: 'CRITICAL',
            vectorString: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
          },
        },
      ],
      problemTypes: [
        { descriptions: [{ lang: 'en', cweId: 'CWE-78', description: 'OS command injection' }] },
      ],
      references: [{ url: 'https://example.com/advisory' }],
    },
    adp: [
      {
        title: 'CISA ADP Vulnrichment',
        providerMetadata: { orgId: '134c704f-9b21-4f2e-91b3-4a467353bcc0', shortName: 'CISA-ADP' },
        metrics: [
          {
            other: {
              type: 'ssvc',
              content: { options: [{ Exploitation: 'active' }, { Automatable: 'yes' }] },
            },
          },
        ],
      },
    ],
  },
};
const plainRecord = (id: string, product: string, published: string, score: number | null) => ({
  dataType: 'CVE_RECORD',
  dataVersion: '5.1',
  cveMetadata: metadata(id, published),
  containers: {
    cna: {
      title: `A flaw of the ${product}`,
      descriptions: [{ lang: 'en', value: `The ${product} of Example has a flaw.` }],
      affected: affected(product, '3.0.0'),
      ...(score !== null && { metrics: [{ cvssV3_1: { version: '3.1', baseScore: score } }] }),
      references: [{ url: `https://example.com/${id}` }],
    },
  },
});
const REJECTED_RECORD = {
  dataType: 'CVE_RECORD',
  dataVersion: '5.1',
  cveMetadata: metadata(GOLDEN_CVE.rejected, '2025-08-22T10:00:00.000Z', 'REJECTED'),
  containers: { cna: { rejectedReasons: [{ lang: 'en', value: 'It is no flaw.' }] } },
};

const NVD = {
  totalResults: 1,
  startIndex: 0,
  vulnerabilities: [
    {
      cve: {
        id: GOLDEN_CVE.full,
        published: '2025-08-20T10:00:00.000',
        lastModified: '2025-08-25T12:00:00.000',
        vulnStatus: 'Analyzed',
        descriptions: [{ lang: 'en', value: 'The gate way of Example runs what it is sent.' }],
        references: [{ url: 'https://nvd.example.com/1', source: 'nvd@nist.gov' }],
        metrics: {
          cvssMetricV31: [
            {
              source: 'nvd@nist.gov',
              cvssData: { version: '3.1', baseScore: 9.8, baseSeverity: 'CRITICAL', vectorString: VECTOR },
            },
          ],
        },
        configurations: [
          {
            nodes: [
              {
                operator: 'OR',
                negate: false,
                cpeMatch: [{ vulnerable: true, criteria: CPE, versionEndExcluding: '2.4.0' }],
              },
            ],
          },
        ],
      },
    },
  ],
};
const KEV = {
  catalogVersion: '2025.08.25',
  dateReleased: '2025-08-25T00:00:00.000Z',
  count: 1,
  vulnerabilities: [
    {
      cveID: GOLDEN_CVE.full,
      vendorProject: 'Example',
      product: 'Gate Way',
      vulnerabilityName: 'Example Gate Way Command Injection',
      dateAdded: '2025-08-25',
      shortDescription: 'The gate way runs what it is sent.',
      requiredAction: 'Apply updates.',
      dueDate: '2025-09-15',
      knownRansomwareCampaignUse: 'Known',
    },
  ],
};
const EPSS = [
  '#model_version:v2025.03.14,score_date:2025-08-25T00:00:00+0000',
  'cve,epss,percentile',
  `${GOLDEN_CVE.full},0.91234,0.99871`,
  `${GOLDEN_CVE.unscored},0.00042,0.12345`,
  `${GOLDEN_CVE.old},0.15,0.94`,
].join('\n');
const OSV = {
  id: 'GHSA-aaaa-bbbb-cccc',
  aliases: [GOLDEN_CVE.full],
  summary: 'Command injection in gateway',
  affected: [
    {
      package: { ecosystem: 'npm', name: 'gateway' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.4.0' }] }],
    },
  ],
};

/** Loaded in this order: what comes later is a change of what was there. */
export const GOLDEN_SOURCES: readonly (readonly [source: string, documents: readonly string[]])[] = [
  [
    'vulnrichment',
    [
      FULL_RECORD,
      plainRecord(GOLDEN_CVE.unscored, 'Side Door', '2025-08-24T10:00:00.000Z', null),
      REJECTED_RECORD,
      plainRecord(GOLDEN_CVE.old, 'Gate Way', '2025-06-10T10:00:00.000Z', 7.5),
    ].map((record) => JSON.stringify(record)),
  ],
  ['nvd', [JSON.stringify(NVD)]],
  ['kev', [JSON.stringify(KEV)]],
  ['epss', [EPSS]],
  ['osv-npm', [JSON.stringify(OSV)]],
  [
    'nuclei',
    [JSON.stringify({ ID: GOLDEN_CVE.full, Info: { Name: 'Gate way' }, file_path: 'http/cves/1.yaml' })],
  ],
  [
    'exploitdb',
    [`id,file,description,date_published,codes\n52001,x.py,"Gate Way RCE",2025-08-23,${GOLDEN_CVE.full}`],
  ],
  [
    'metasploit',
    [
      JSON.stringify({
        'exploit/linux/http/gate_way': {
          fullname: 'exploit/linux/http/gate_way',
          name: 'Gate Way RCE',
          references: [GOLDEN_CVE.full],
        },
      }),
    ],
  ],
  [
    'ctid',
    [
      JSON.stringify({
        mapping_objects: [
          {
            capability_id: GOLDEN_CVE.full,
            attack_object_id: 'T1190',
            attack_object_name: 'Exploit Public-Facing Application',
            mapping_type: 'exploitation_technique',
          },
        ],
      }),
    ],
  ],
];
