import { describe, expect, test } from 'vitest';
import { rangesInText } from './free-text-versions.ts';
import { type MatchComponent, matchCve } from './match-cve.ts';
import { linkVotes, NO_LINKS, type ProductLinks, settleLinks } from './product-names.ts';
import { affected, row, versions } from './told.fixture.ts';
import type { ToldCpeMatch, ToldCve, ToldPackage } from './told.ts';

const component = (said: Partial<MatchComponent>): MatchComponent => ({
  vendor: null,
  product: null,
  version: null,
  cpe: null,
  purl: null,
  ecosystem: null,
  ...said,
});
const tool = (version: string | null) => component({ vendor: 'acme', product: 'tool', version });
const ask = (
  what: MatchComponent,
  rows: readonly ToldCve[],
  links: ProductLinks = NO_LINKS,
  environment: readonly MatchComponent[] = [],
) => {
  const found = matchCve(what, rows, { links, environment });
  return found === null ? null : found.reason === null ? found.status : `${found.status}: ${found.reason}`;
};
const answers = (rows: readonly ToldCve[], ...asked: readonly (string | null)[]) =>
  asked.map((one) => ask(tool(one), rows));

describe('the affected entries of a CVE record', () => {
  test('a range includes its start and not its end, and the default is for the rest', () => {
    const entry = affected('Acme', 'Tool', {
      defaultStatus: 'unaffected',
      versions: [versions('1.2', { lessThan: '2.0' })],
    });
    expect(answers([row('cna', { affected: [entry] })], '1.1', '1.2', '1.10', '2.0', null)).toEqual([
      'unaffected',
      'affected',
      'affected',
      'unaffected',
      'unknown: no-version',
    ]);
    expect(
      matchCve(tool('1.3'), [row('cna', { affected: [entry] })], { links: NO_LINKS, environment: [] }),
    ).toMatchObject({
      fixedVersion: '2.0',
      source: 'cna',
    });
  });

  test('without a default, what no entry names is unknown and never unaffected', () => {
    const rows = [row('cna', { affected: [affected('acme', 'tool', { versions: [versions('1.0')] })] })];
    expect(answers(rows, '1.0', '1.1')).toEqual(['affected', 'unknown: unstated']);
  });

  test('a version that cannot be compared is unknown, although the default is unaffected', () => {
    const entry = affected('acme', 'tool', {
      defaultStatus: 'unaffected',
      versions: [versions('SMR Aug-2024 Release', { lessThan: 'SMR Sep-2024 Release' })],
    });
    expect(answers([row('cna', { affected: [entry] })], '1.0')).toEqual(['unknown: unordered']);
  });

  test('a change inside a range ends it, and a single version outweighs a range', () => {
    const entry = affected('acme', 'tool', {
      defaultStatus: 'unaffected',
      versions: [
        versions('1.0', { lessThan: '2.0', changes: [{ at: '1.5', status: 'unaffected' }] }),
        versions('1.2', { status: 'unaffected' }),
      ],
    });
    expect(answers([row('cna', { affected: [entry] })], '1.1', '1.2', '1.4', '1.5', '1.9')).toEqual([
      'affected',
      'unaffected',
      'affected',
      'unaffected',
      'unaffected',
    ]);
  });

  test('kernel records: commits say nothing about a version, the sibling entry does', () => {
    const commits = affected('Linux', 'Linux', {
      defaultStatus: 'unaffected',
      versions: [versions('1da177e4c3f4', { lessThan: '5cdc71f31b8f', versionType: 'git' })],
    });
    const numbers = affected('Linux', 'Linux', {
      defaultStatus: 'affected',
      versions: [
        versions('5.12', { versionType: null }),
        versions('0', { lessThan: '5.12', status: 'unaffected', versionType: 'semver' }),
        versions('6.1.90', { lessThanOrEqual: '6.1.*', status: 'unaffected', versionType: 'semver' }),
        versions('6.9', {
          lessThanOrEqual: '*',
          status: 'unaffected',
          versionType: 'original_commit_for_fix',
        }),
      ],
    });
    const kernel = (version: string) => component({ vendor: 'linux', product: 'linux', version });
    const both = [row('cna', { affected: [commits, numbers] })];
    expect(
      ['5.10', '5.12', '6.1.50', '6.1.90', '6.1.120', '6.6', '6.10'].map((one) => ask(kernel(one), both)),
    ).toEqual(['unaffected', 'affected', 'affected', 'unaffected', 'unaffected', 'affected', 'unaffected']);
    expect(ask(kernel('6.1.50'), [row('cna', { affected: [commits] })])).toBe('unknown: commits');
  });

  test('a range whose end is its start does not say which versions it means', () => {
    const entry = affected('acme', 'tool', {
      defaultStatus: 'unaffected',
      versions: [versions('6.1', { lessThan: '6.1' })],
    });
    expect(answers([row('cna', { affected: [entry] })], '6.0', '6.1', '6.2')).toEqual([
      'unknown: unordered',
      'unknown: unordered',
      'unaffected',
    ]);
  });

  test('ranges in free text are read, and text that is not understood is unknown', () => {
    const free = (text: string) => [
      row('cna', {
        affected: [affected('acme', 'tool', { defaultStatus: 'unaffected', versions: [versions(text)] })],
      }),
    ];
    expect(answers(free('< 0.16.0'), '0.15.9', '0.16.0')).toEqual(['affected', 'unaffected']);
    expect(answers(free('>= 1.29.0, <= 1.29.4'), '1.28', '1.29.4', '1.30')).toEqual([
      'unaffected',
      'affected',
      'unaffected',
    ]);
    expect(answers(free('stable < 3.2.3'), '3.2.2', '3.2.3')).toEqual(['affected', 'unaffected']);
    expect(answers(free('11.1, 11.5'), '11.1', '11.3', '11.5')).toEqual([
      'affected',
      'unaffected',
      'affected',
    ]);
    expect(answers(free('2.5.x'), '2.5.9', '2.6')).toEqual(['affected', 'unaffected']);
    expect(answers(free('1.4 and earlier'), '1.3', '1.5')).toEqual(['affected', 'unaffected']);
    expect(answers(free('see the advisory'), '1.0')).toEqual(['unknown: unordered']);
    expect(rangesInText('>= 3.4.0 < 3.12.4')).toHaveLength(1);
    expect(rangesInText('Snapdragon 8cx Compute Platform (SC8180XP-AC, AF) "Poipu Pro"')).toBeNull();
  });
});

describe('statements of several sources', () => {
  const cna = row('cna', {
    affected: [
      affected('Apache Software Foundation', 'Apache Zeppelin', {
        defaultStatus: 'unaffected',
        package: { ecosystem: 'Maven', name: 'org.apache.zeppelin:zeppelin-server' },
        versions: [versions('0.9.0', { lessThan: '0.11.0', versionType: 'semver' })],
      }),
    ],
  });
  const adp = row('cisa-adp', {
    affected: [
      affected('apache', 'zeppelin', {
        cpes: ['cpe:2.3:a:apache:zeppelin:0.9.0:*:*:*:*:*:*:*'],
        versions: [versions('0.9.0')],
      }),
    ],
  });
  const links = settleLinks(linkVotes([cna, adp]));
  const zeppelin = (version: string) => component({ vendor: 'apache', product: 'zeppelin', version });

  test('add up: one version that CISA names does not shrink the range of the CNA', () => {
    expect(['0.8', '0.9.0', '0.10.1', '0.11.0'].map((one) => ask(zeppelin(one), [cna, adp], links))).toEqual([
      'unaffected',
      'affected',
      'affected',
      'unaffected',
    ]);
  });

  test('a record without any CPE is found under the CPE name that other records link to', () => {
    expect(ask(zeppelin('0.10.1'), [cna], links)).toBe('affected');
    expect(ask(zeppelin('0.10.1'), [cna])).toBeNull();
  });

  test('a package is found by its purl, and by a CPE only if it carries one', () => {
    const purl = 'pkg:maven/org.apache.zeppelin/zeppelin-server@0.10.1';
    expect(ask(component({ purl }), [cna, adp], links)).toBe('affected');
    expect(
      ask(
        component({ purl: 'pkg:maven/apache/zeppelin@0.9.0', vendor: 'apache', product: 'zeppelin' }),
        [adp],
        links,
      ),
    ).toBeNull();
    const cpe = 'cpe:2.3:a:apache:zeppelin:0.9.0:*:*:*:*:*:*:*';
    expect(ask(component({ purl: 'pkg:maven/apache/zeppelin@0.9.0', cpe }), [adp], links)).toBe('affected');
  });

  test('what one source cannot compare stays unknown, although another says unaffected', () => {
    const odd = row('adp', {
      affected: [affected('apache', 'zeppelin', { versions: [versions('R1', { lessThan: 'R2' })] })],
    });
    expect(ask(zeppelin('0.12'), [cna, odd], links)).toBe('unknown: unordered');
    expect(ask(zeppelin('0.10.1'), [cna, odd], links)).toBe('affected');
  });

  test('a rejected CVE matches nothing', () => {
    expect(ask(zeppelin('0.10.1'), [{ ...cna, state: 'REJECTED' }, adp], links)).toBeNull();
  });
});

describe('configurations of NVD', () => {
  const cpe = (criteria: string, said: Partial<ToldCpeMatch> = {}): ToldCpeMatch => ({
    vulnerable: true,
    criteria,
    startIncluding: null,
    startExcluding: null,
    endIncluding: null,
    endExcluding: null,
    ...said,
  });
  const nvd = (operator: 'AND' | 'OR', ...nodes: readonly (readonly ToldCpeMatch[])[]) =>
    row('nvd', {
      configurations: [
        {
          operator,
          negate: false,
          nodes: nodes.map((matches) => ({ operator: 'OR', negate: false, matches })),
        },
      ],
    });

  test('bounds are kept, and a version outside is unaffected', () => {
    const rows = [nvd('OR', [cpe('cpe:2.3:a:acme:tool:*', { startExcluding: '1.0', endIncluding: '2.0' })])];
    expect(answers(rows, '1.0', '1.1', '2.0', '2.1', null)).toEqual([
      'unaffected',
      'affected',
      'affected',
      'unaffected',
      'unknown: no-version',
    ]);
  });

  test('the update field is part of the version', () => {
    const rows = [nvd('OR', [cpe('cpe:2.3:a:ntp:ntp:4.2.8:p18:*:*:*:*:*:*')])];
    const ntp = (said: Partial<MatchComponent>) =>
      ask(component({ vendor: 'ntp', product: 'ntp', ...said }), rows);
    expect(ntp({ version: '4.2.8p18' })).toBe('affected');
    expect(ntp({ version: '4.2.8p17' })).toBe('unaffected');
    expect(ntp({ cpe: 'cpe:2.3:a:ntp:ntp:4.2.8:p18:*:*:*:*:*:*' })).toBe('affected');
    expect(ntp({ cpe: 'cpe:2.3:a:ntp:ntp:4.2.8:*:*:*:*:*:*:*' })).toBe('unknown: unordered');
    const any = [nvd('OR', [cpe('cpe:2.3:a:ntp:ntp:4.2.8:*:*:*:*:*:*:*')])];
    expect(ask(component({ vendor: 'ntp', product: 'ntp', version: '4.2.8p18' }), any)).toBe('affected');
  });

  test('what only has to be there beside the flaw never matches alone', () => {
    const windows = cpe('cpe:2.3:o:microsoft:windows:-', { vulnerable: false });
    const rows = [nvd('AND', [cpe('cpe:2.3:a:acme:tool:*', { endExcluding: '2.0' })], [windows])];
    const platform = component({ vendor: 'microsoft', product: 'windows', version: '10' });
    expect(ask(platform, rows)).toBeNull();
    expect(ask(tool('1.0'), rows)).toBe('unknown: environment');
    expect(ask(tool('2.0'), rows)).toBe('unaffected');
    const all = [
      nvd(
        'AND',
        [cpe('cpe:2.3:a:acme:tool:*', { endExcluding: '2.0' })],
        [{ ...windows, criteria: 'cpe:2.3:o:microsoft:windows:*' }],
      ),
    ];
    expect(ask(tool('1.0'), all, NO_LINKS, [platform])).toBe('affected');
  });

  test('firmware implies its own hardware', () => {
    const rows = [
      nvd(
        'AND',
        [cpe('cpe:2.3:o:acme:x1_firmware:*', { endExcluding: '3.0' })],
        [cpe('cpe:2.3:h:acme:x1:-', { vulnerable: false })],
      ),
    ];
    expect(ask(component({ vendor: 'acme', product: 'x1_firmware', version: '2.9' }), rows)).toBe('affected');
  });

  test('a negated node turns its answer', () => {
    const node = {
      operator: 'OR',
      negate: true,
      matches: [cpe('cpe:2.3:a:acme:tool:*', { startIncluding: '2.0' })],
    } as const;
    const rows = [row('nvd', { configurations: [{ operator: 'OR', negate: false, nodes: [node] }] })];
    expect(answers(rows, '1.0', '2.0')).toEqual(['affected', 'unaffected']);
  });

  test('another edition or platform is another product', () => {
    const rows = [nvd('OR', [cpe('cpe:2.3:a:acme:tool:*:*:*:*:*:wordpress:*:*', { endExcluding: '2.0' })])];
    expect(ask(component({ cpe: 'cpe:2.3:a:acme:tool:1.0:*:*:*:*:joomla:*:*' }), rows)).toBe('unaffected');
    expect(ask(component({ cpe: 'cpe:2.3:a:acme:tool:1.0:*:*:*:*:wordpress:*:*' }), rows)).toBe('affected');
  });
});

describe('OSV packages', () => {
  const entry = (said: Partial<ToldPackage>): readonly ToldCve[] => [
    row('osv', { packages: [{ ecosystem: 'Go', name: 'example.com/m', ranges: [], versions: [], ...said }] }),
  ];
  const go = (version: string) => component({ purl: `pkg:golang/example.com/m@${version}` });

  test('several intervals in one range are all kept, in any order of their events', () => {
    const events = [
      { kind: 'introduced', version: '2.9.0+incompatible' },
      { kind: 'fixed', version: '2.9.4+incompatible' },
      { kind: 'introduced', version: '0' },
      { kind: 'fixed', version: '2.8.6+incompatible' },
    ] as const;
    const rows = entry({ ranges: [{ type: 'SEMVER', events }] });
    expect(['v1.0.0', 'v2.8.6', 'v2.9.3', 'v2.9.4'].map((one) => ask(go(one), rows))).toEqual([
      'affected',
      'unaffected',
      'affected',
      'unaffected',
    ]);
    expect(matchCve(go('v2.9.1'), rows, { links: NO_LINKS, environment: [] })?.fixedVersion).toBe(
      '2.9.4+incompatible',
    );
  });

  test('the last affected version is affected, commits are unknown, listed versions are affected', () => {
    const last = entry({
      ranges: [
        {
          type: 'SEMVER',
          events: [
            { kind: 'introduced', version: '1.0.0' },
            { kind: 'last_affected', version: '1.4.0' },
          ],
        },
      ],
    });
    expect([ask(go('v1.4.0'), last), ask(go('v1.4.1'), last), ask(go('main'), last)]).toEqual([
      'affected',
      'unaffected',
      'unknown: unordered',
    ]);
    const git = entry({
      ranges: [{ type: 'GIT', events: [{ kind: 'introduced', version: '0' }] }],
      versions: ['1.0.0'],
    });
    expect([ask(go('v1.0.0'), git), ask(go('v1.1.0'), git)]).toEqual(['affected', 'unknown: commits']);
  });

  test('names of packages are compared as their registry does', () => {
    const rows = [
      row('osv', { packages: [{ ecosystem: 'PyPI', name: 'foo-bar', ranges: [], versions: ['1.0'] }] }),
    ];
    expect(ask(component({ purl: 'pkg:pypi/Foo_Bar@1.0.0' }), rows)).toBe('affected');
    expect(ask(component({ ecosystem: 'PyPI', product: 'foo.bar', version: '1.1' }), rows)).toBe(
      'unaffected',
    );
    expect(ask(component({ purl: 'pkg:npm/foo-bar@1.0.0' }), rows)).toBeNull();
  });
});
