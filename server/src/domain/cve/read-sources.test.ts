import { describe, expect, test } from 'vitest';
import { readCveRecord } from './read-cve-record.ts';
import { readEpss } from './read-epss.ts';
import { readExploitDb, readMetasploit, readNucleiIndex, readNucleiTemplate } from './read-exploits.ts';
import { readAttackMapping, readKev } from './read-kev.ts';
import { readNvd, readNvdOverride } from './read-nvd.ts';
import { readOsv } from './read-osv.ts';

const reasons = (reading: { readonly refused: readonly { readonly reason: string }[] }) =>
  reading.refused.map(({ reason }) => reason);

const RECORD = {
  dataType: 'CVE_RECORD',
  cveMetadata: {
    cveId: 'cve-2030-0001',
    state: 'PUBLISHED',
    assignerShortName: 'acme',
    datePublished: '2030-01-01T08:00:00',
    dateUpdated: '2030-01-02T08:00:00.000Z',
  },
  containers: {
    cna: {
      title: 'A flaw',
      descriptions: [
        { lang: 'de', value: 'Ein Fehler' },
        { lang: 'en-US', value: 'Some\nflaw' },
      ],
      affected: [
        {
          vendor: 'n/a',
          product: 'Tool',
          collectionURL: 'https://pypi.org/project/pip',
          packageName: 'Acme_Tool',
          versions: [
            {
              version: '1.0',
              status: 'affected',
              lessThan: '2.0',
              versionType: 'semver',
              changes: [{ at: '1.5', status: 'unaffected' }],
            },
            { version: '3', status: 'perhaps' },
          ],
        },
      ],
      metrics: [
        { cvssV3_1: { baseScore: 9.8, baseSeverity: 'CRITICAL', vectorString: 'CVSS:3.1/AV:N' } },
        { cvssV4_0: { baseScore: 11 } },
      ],
      problemTypes: [
        {
          descriptions: [{ description: 'CWE-79 and more', cweId: 'CWE-79' }, { description: 'see CWE-20' }],
        },
      ],
      references: [{ url: 'https://acme.example/1' }, { url: 'javascript:alert(1)' }],
    },
    adp: [
      {
        title: 'CISA ADP Vulnrichment',
        providerMetadata: { orgId: '134c704f-9b21-4f2e-91b3-4a467353bcc0', shortName: 'CISA-ADP' },
        metrics: [
          {
            other: {
              type: 'ssvc',
              content: {
                options: [{ Exploitation: 'PoC' }, { Automatable: 'Yes' }, { 'Technical Impact': 'Total' }],
              },
            },
          },
          { other: { type: 'kev', content: { dateAdded: '2030-01-03' } } },
          { cvssV3_1: { baseScore: 7.5 } },
        ],
      },
      {
        title: 'CVE Program Container',
        providerMetadata: { shortName: 'CVE' },
        references: [{ url: 'https://cve.example/2' }],
      },
    ],
  },
};

describe('CVE records', () => {
  const { told, refused } = readCveRecord('a', RECORD);
  const [cna, cisa, program] = told;

  test('the CNA and each publisher have rows of their own', () => {
    expect(refused).toEqual([]);
    expect(told.map(({ cveId, source, document }) => [cveId, source, document])).toEqual([
      ['CVE-2030-0001', 'cna', 'CVE-2030-0001'],
      ['CVE-2030-0001', 'cisa-adp', 'CVE-2030-0001'],
      ['CVE-2030-0001', 'adp', 'CVE'],
    ]);
    expect(cna).toMatchObject({
      state: 'PUBLISHED',
      title: 'A flaw',
      description: 'Some flaw',
      published: '2030-01-01T08:00:00.000Z',
      cwes: ['CWE-79', 'CWE-20'],
      references: [{ source: 'acme', url: 'https://acme.example/1' }],
    });
    expect(program).toMatchObject({
      title: null,
      state: null,
      references: [{ source: 'CVE', url: 'https://cve.example/2' }],
    });
  });

  test('a score out of its range and a status without meaning are left out, and n/a is no name', () => {
    expect(cna?.scores).toEqual([
      {
        assigner: 'cna',
        source: 'acme',
        version: '3.1',
        score: 9.8,
        severity: 'CRITICAL',
        vector: 'CVSS:3.1/AV:N',
      },
    ]);
    expect(cna?.affected[0]).toMatchObject({
      vendor: null,
      product: 'Tool',
      package: { ecosystem: 'PyPI', name: 'acme-tool' },
      defaultStatus: 'unknown',
      versions: [{ version: '1.0', lessThan: '2.0', changes: [{ at: '1.5', status: 'unaffected' }] }],
    });
    expect(cna?.affected[0]?.versions).toHaveLength(1);
  });

  test('SSVC is read in any capitals', () => {
    expect(cisa?.ssvc).toMatchObject({ exploitation: 'poc', automatable: true, technicalImpact: 'total' });
    expect(cisa?.kev?.dateAdded).toBe('2030-01-03');
    expect(cisa?.scores[0]).toMatchObject({ assigner: 'cisa-adp', severity: 'HIGH' });
  });

  test('what is no record is refused by name', () => {
    expect(reasons(readCveRecord('a', []))).toEqual(['wrong-format']);
    expect(reasons(readCveRecord('a', { ...RECORD, cveMetadata: { cveId: 'CVE-1' } }))).toEqual([
      'bad-cve-id',
    ]);
    expect(readCveRecord('a', { ...RECORD, containers: 7 }).told).toHaveLength(1);
  });

  test('a rejected record keeps its reason as description', () => {
    const rejected = {
      ...RECORD,
      cveMetadata: { ...RECORD.cveMetadata, state: 'REJECTED' },
      containers: { cna: { rejectedReasons: [{ lang: 'en', value: 'Withdrawn.' }] } },
    };
    expect(readCveRecord('a', rejected).told[0]).toMatchObject({
      state: 'REJECTED',
      description: 'Withdrawn.',
    });
  });
});

describe('NVD', () => {
  const item = {
    cve: {
      id: 'CVE-2030-0002',
      sourceIdentifier: 'security@acme.example',
      vulnStatus: 'Analyzed',
      published: '2030-01-01T00:00:00.000',
      descriptions: [{ lang: 'en', value: 'A flaw.' }],
      metrics: {
        cvssMetricV31: [
          { source: 'nvd@nist.gov', cvssData: { baseScore: 5, baseSeverity: 'MEDIUM' } },
          { source: 'security@acme.example', cvssData: { baseScore: 6 } },
          { source: '134c704f-9b21-4f2e-91b3-4a467353bcc0', cvssData: { baseScore: 7 } },
        ],
        cvssMetricV2: [{ source: 'nvd@nist.gov', baseSeverity: 'HIGH', cvssData: { baseScore: 7.5 } }],
      },
      weaknesses: [{ description: [{ value: 'NVD-CWE-noinfo' }, { value: 'CWE-89' }] }],
      configurations: [
        {
          operator: 'AND',
          nodes: [
            {
              operator: 'OR',
              negate: true,
              cpeMatch: [{ vulnerable: false, criteria: 'cpe:2.3:o:a:b:-', versionEndExcluding: '2' }, {}],
            },
          ],
        },
      ],
    },
  };

  test('repeats the scores of others under their own names', () => {
    const [told] = readNvd('a', { vulnerabilities: [item] }).told;
    expect(
      told?.scores.map(({ assigner, version, score, severity }) => [assigner, version, score, severity]),
    ).toEqual([
      ['nvd', '3.1', 5, 'MEDIUM'],
      ['cna', '3.1', 6, 'MEDIUM'],
      ['cisa-adp', '3.1', 7, 'HIGH'],
      ['nvd', '2.0', 7.5, 'HIGH'],
    ]);
    expect(told).toMatchObject({
      published: '2030-01-01T00:00:00.000Z',
      cwes: ['CWE-89'],
      state: 'PUBLISHED',
    });
    expect(told?.configurations[0]).toMatchObject({
      operator: 'AND',
      nodes: [{ negate: true, matches: [{ vulnerable: false, endExcluding: '2' }] }],
    });
    expect(reasons(readNvd('a', { vulnerabilities: [{}, { cve: { id: 'x' } }] }))).toEqual([
      'wrong-format',
      'bad-cve-id',
    ]);
  });

  test('an emptied override withdraws what it said', () => {
    const annotation = { cve_id: 'CVE-2030-0003', references: ['https://acme.example'] };
    expect(reasons(readNvdOverride('a', { _annotation: annotation, cve: {} }))).toEqual(['withdrawn']);
    const kept = readNvdOverride('a', {
      _annotation: annotation,
      cve: { configurations: item.cve.configurations },
    });
    expect(kept.told[0]).toMatchObject({ source: 'nvd-overrides', configurations: [{ operator: 'AND' }] });
  });
});

describe('catalogues and lists', () => {
  test('KEV reads alike as JSON and as CSV', () => {
    const entry = {
      cveID: 'CVE-2030-0004',
      vendorProject: 'Acme',
      product: 'Tool',
      vulnerabilityName: 'Acme "Tool" flaw',
      dateAdded: '2030-02-01',
      shortDescription: 'Two,\nlines',
      requiredAction: 'Update',
      dueDate: '2030-02-22',
      knownRansomwareCampaignUse: 'Known',
      notes: 'see https://acme.example/a ; https://acme.example/b',
      cwes: ['CWE-1', 'CWE-2'],
    };
    const header = Object.keys(entry).join(',');
    const cells = Object.values(entry)
      .map((cell) => `"${String(cell).replaceAll('"', '""')}"`)
      .join(',');
    const asJson = readKev('a', JSON.stringify({ vulnerabilities: [entry] }));
    expect(readKev('a', `${header}\r\n${cells}\r\n`)).toEqual(asJson);
    expect(asJson.told[0]).toMatchObject({
      title: 'Acme "Tool" flaw',
      cwes: ['CWE-1', 'CWE-2'],
      kev: { ransomwareUse: 'Known', dueDate: '2030-02-22', shortDescription: 'Two, lines' },
    });
    expect(asJson.told[0]?.references).toHaveLength(2);
    expect(reasons(readKev('a', '<html>'))).toEqual(['wrong-format']);
    expect(reasons(readKev('a', '{"vulnerabilities":[{"cveID":"x"},{"cveID":"CVE-2030-0001"}'))).toEqual([
      'not-json',
    ]);
    expect(reasons(readKev('a', '{"vulnerabilities":[{"cveID":"x"},{"cveID":"CVE-2030-0001"}]}'))).toEqual([
      'bad-cve-id',
      'bad-date',
    ]);
  });

  test('EPSS keeps the day of its model and refuses numbers out of range', () => {
    const text =
      '#model_version:v1,score_date:2030-03-01T00:00:00+0000\ncve,epss,percentile\nCVE-2030-0001,0.5,0.9\nCVE-2030-0002,5,0.9\nx,0.1,0.1\n';
    const reading = readEpss('a', text);
    expect(reading.told[0]?.epss).toEqual({ score: 0.5, percentile: 0.9, date: '2030-03-01' });
    expect(reasons(reading)).toEqual(['bad-number', 'bad-cve-id']);
    expect(reasons(readEpss('a', '<html></html>'))).toEqual(['wrong-format']);
  });

  test('the mapping to ATT&CK gives a technique for each way of use', () => {
    const objects = [
      {
        capability_id: 'CVE-2030-0001',
        attack_object_id: 'T1190',
        attack_object_name: 'Exploit',
        mapping_type: 'exploitation_technique',
      },
      { capability_id: 'CVE-2030-0001', attack_object_id: null, mapping_type: 'uncategorized' },
    ];
    const reading = readAttackMapping('a', { mapping_objects: objects });
    expect(reading.told[0]?.techniques).toEqual([{ id: 'T1190', name: 'Exploit', relation: 'exploitation' }]);
    expect(reasons(reading)).toEqual(['wrong-format']);
  });
});

describe('exploits', () => {
  test('nuclei is read as index and as template', () => {
    const line = JSON.stringify({
      ID: 'CVE-2030-0001',
      Info: { Name: 'N', Classification: { CVSSScore: '9.8' } },
      file_path: 'a.yaml',
    });
    const index = readNucleiIndex('a', `${line}\n{"ID":"x"}\nnot json\n`);
    expect(index.told[0]).toMatchObject({
      exploits: [{ kind: 'nuclei', id: 'a.yaml' }],
      scores: [{ score: 9.8, version: null }],
    });
    expect(reasons(index)).toEqual(['bad-cve-id', 'not-json']);
    const yaml =
      'id: CVE-2030-0005\ninfo:\n  name: N\n  classification:\n    cvss-metrics: CVSS:3.1/AV:N/AC:L\n    cvss-score: 7.5\n    cwe-id: CWE-22,CWE-23\n';
    expect(readNucleiTemplate('b.yaml', yaml).told[0]).toMatchObject({
      cveId: 'CVE-2030-0005',
      scores: [{ score: 7.5, version: '3.1' }],
      cwes: ['CWE-22', 'CWE-23'],
    });
    expect(reasons(readNucleiTemplate('b.yaml', 'id: wordpress-detect\n'))).toEqual(['no-cve-id']);
    expect(reasons(readNucleiTemplate('b.yaml', 'a: [1'))).toEqual(['not-yaml']);
  });

  test('ExploitDB and Metasploit name CVEs among other registers', () => {
    const csv =
      'id,file,description,codes\n7,a.py,"Acme, remote",CVE-2030-0001;OSVDB-1;CVE-2030-0002\n8,b.py,Other,\n';
    const found = readExploitDb('a', csv);
    expect(found.told.map(({ cveId, exploits }) => [cveId, exploits[0]?.id, exploits[0]?.title])).toEqual([
      ['CVE-2030-0001', '7', 'Acme, remote'],
      ['CVE-2030-0002', '7', 'Acme, remote'],
    ]);
    expect(reasons(found)).toEqual(['no-cve-id']);
    const modules = {
      'exploit/a': { fullname: 'exploit/a', name: 'A', references: ['CVE-2030-0001', 'URL-https://x'] },
    };
    expect(readMetasploit('a', modules).told[0]?.exploits).toEqual([
      { kind: 'metasploit', id: 'exploit/a', title: 'A' },
    ]);
    expect(reasons(readMetasploit('a', [modules]))).toEqual(['not-an-object']);
  });
});

describe('OSV', () => {
  const YAML = `id: PYSEC-2030-1
details: A flaw.
affected:
- package:
    name: Foo_Bar
    ecosystem: PyPI
  ranges:
  - type: ECOSYSTEM
    events:
    - introduced: '0'
    - fixed: 1.10
  versions:
  - 1.0
aliases:
- CVE-2030-0001
- GHSA-aaaa-bbbb-cccc
severity:
- type: CVSS_V3
  score: CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H
modified: '0001-01-01T00:00:00Z'
`;

  test('a version that looks like a number stays text, and a zero time is no date', () => {
    const [told] = readOsv('a', YAML).told;
    expect(told?.packages).toEqual([
      {
        ecosystem: 'PyPI',
        name: 'foo-bar',
        ranges: [
          {
            type: 'ECOSYSTEM',
            events: [
              { kind: 'introduced', version: '0' },
              { kind: 'fixed', version: '1.10' },
            ],
          },
        ],
        versions: ['1.0'],
      },
    ]);
    expect(told).toMatchObject({
      modified: null,
      aliases: ['PYSEC-2030-1', 'GHSA-aaaa-bbbb-cccc'],
      scores: [{ score: 9.8, source: 'PYSEC' }],
    });
  });

  test('a withdrawn record, one without a CVE and one that is none are refused', () => {
    expect(reasons(readOsv('a', `${YAML}withdrawn: '2030-01-01T00:00:00Z'\n`))).toEqual(['withdrawn']);
    expect(reasons(readOsv('a', '{"id":"GO-1"}'))).toEqual(['no-cve-id']);
    expect(reasons(readOsv('a', '{'))).toEqual(['not-json']);
    expect(reasons(readOsv('a', 'a: &a [*a, *a]'))).toEqual(['wrong-format']);
    const bomb = [
      'a: &a0 [x,x,x,x,x,x,x,x,x,x]',
      ...Array.from({ length: 9 }, (_, at) => `b${at}: &a${at + 1} [${`*a${at},`.repeat(9)}*a${at}]`),
    ];
    expect(reasons(readOsv('a', bomb.join('\n')))).toEqual(['not-yaml']);
  });
});
