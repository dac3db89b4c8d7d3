import { describe, expect, test } from 'vitest';
import { BYTES_MAX, COMPONENTS_MAX } from './inventory.ts';
import { readInventory } from './read-inventory.ts';

function read(text: string | object, format: Parameters<typeof readInventory>[1] = null) {
  const reading = readInventory(typeof text === 'string' ? text : JSON.stringify(text), format);
  if (!reading.isRead) throw new Error(reading.reason);
  return { format: reading.format, ...reading.inventory };
}
const shown = ({ components }: ReturnType<typeof read>) =>
  components.map(({ purl, name, version, isDev, isDirect }) =>
    [purl ?? `${name} ${version}`, ...(isDev ? ['dev'] : []), ...(isDirect ? ['direct'] : [])].join(' '),
  );

const tooManyPaths = Object.fromEntries(Array.from({ length: 100_001 }, (_, at) => [`a${at}`, {}]));

describe('lock files', () => {
  test('package-lock.json of all versions', () => {
    const paths = read({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { '@a/b': '^1' }, devDependencies: { c: '1' } },
        'node_modules/@a/b': { version: '1.2.3' },
        'node_modules/c': { version: '1.0.0', dev: true },
        'node_modules/@a/b/node_modules/c': { version: '0.9.0' },
        'node_modules/alias': { name: 'real', version: '2.0.0' },
        'node_modules/own': { link: true },
        'node_modules/git': { version: 'git+ssh://x' },
      },
    });
    expect(paths.format).toBe('package-lock');
    expect(shown(paths)).toEqual([
      'pkg:npm/%40a/b@1.2.3 direct',
      'pkg:npm/c@1.0.0 dev direct',
      'pkg:npm/c@0.9.0',
      'pkg:npm/real@2.0.0',
    ]);
    expect(paths.skipped.map(({ reason }) => reason)).toEqual(['local', 'not-from-a-registry']);
    const nested = read({
      lockfileVersion: 1,
      dependencies: {
        a: { version: '1.0.0', dependencies: { b: { version: '2.0.0', dev: true } } },
        x: { version: 'npm:y@3.0.0' },
      },
    });
    expect(shown(nested)).toEqual(['pkg:npm/a@1.0.0', 'pkg:npm/y@3.0.0', 'pkg:npm/b@2.0.0 dev']);
  });

  test('composer.lock, Cargo.lock and Gemfile.lock', () => {
    const composer = read({
      'content-hash': 'x',
      packages: [
        { name: 'a/b', version: 'v1.0.0' },
        { name: 'a/c', version: 'dev-main' },
      ],
      'packages-dev': [{ name: 'd/e', version: '2.0' }],
    });
    expect(shown(composer)).toEqual(['pkg:composer/a/b@v1.0.0', 'pkg:composer/d/e@2.0 dev']);
    const cargo = read(
      'version = 3\n\n[[package]]\nname = "own"\nversion = "0.1.0"\n\n[[package]]\nname = "hyper"\nversion = "0.14.2"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n',
    );
    expect(shown(cargo)).toEqual(['pkg:cargo/hyper@0.14.2']);
    const gems = read(
      'GIT\n  remote: https://x\n  specs:\n    forked (1.0)\n\nGEM\n  remote: https://rubygems.org/\n  specs:\n    nokogiri (1.13.6-x86_64-linux)\n      racc (~> 1.4)\n    racc (1.6.0)\n\nDEPENDENCIES\n  nokogiri\n  forked!\n',
    );
    expect(shown(gems)).toEqual(['pkg:gem/nokogiri@1.13.6 direct', 'pkg:gem/racc@1.6.0']);
    expect(gems.skipped).toEqual([{ name: 'forked', reason: 'not-from-a-registry' }]);
  });

  test('a word is no inventory, unless the caller names the format', () => {
    expect(readInventory('garbage')).toEqual({ isRead: false, reason: 'unknown-format' });
    expect(readInventory('flask\nrequests').isRead).toBe(false);
    expect(readInventory('flask\nrequests', 'requirements').isRead).toBe(true);
    expect(readInventory('flask==3.0\nrequests').isRead).toBe(true);
  });

  test('requirements.txt keeps a name without a pin, without a version', () => {
    const found = read(
      '# comment\n-r other.txt\nDjango[bcrypt]==4.2.1 ; python_version > "3.8"  # why\nfoo_bar>=1.0\nbaz @ https://x/y.whl\nqux==1.0 \\\n    --hash=sha256:abc\n',
    );
    expect(shown(found)).toEqual([
      'pkg:pypi/django@4.2.1 direct',
      'pkg:pypi/foo-bar direct',
      'pkg:pypi/qux@1.0 direct',
    ]);
    expect(found.skipped.map(({ name }) => name)).toEqual(['-r other.txt', 'baz']);
  });
});

describe('SBOMs', () => {
  test('CycloneDX with components inside components, scopes and VEX', () => {
    const bom = read({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { 'bom-ref': 'root', name: 'app' } },
      components: [
        {
          'bom-ref': 'a',
          name: 'a',
          purl: 'pkg:npm/a@1.0.0',
          components: [
            {
              name: 'inner',
              version: '2',
              purl: 'pkg:npm/inner@2',
              properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
            },
          ],
        },
        {
          name: 'os',
          version: '12',
          cpe: 'cpe:2.3:o:debian:debian_linux:12:*:*:*:*:*:*:*',
          type: 'operating-system',
        },
        { name: 'nameless' },
        { name: 'model', type: 'machine-learning-model', purl: 'pkg:npm/m@1' },
      ],
      dependencies: [{ ref: 'root', dependsOn: ['a'] }],
      vulnerabilities: [
        {
          id: 'CVE-2030-0001',
          analysis: { state: 'not_affected', justification: 'code_not_reachable' },
          affects: [{ ref: 'a' }],
        },
        { id: 'CVE-2030-0002', affects: [{ ref: 'a' }] },
      ],
    });
    expect(shown(bom)).toEqual(['pkg:npm/a@1.0.0 direct', 'os 12', 'pkg:npm/inner@2 dev']);
    expect(bom.skipped.map(({ name }) => name)).toEqual(['nameless', 'model']);
    expect(bom.statements).toEqual([
      {
        cveId: 'CVE-2030-0001',
        status: 'not_affected',
        justification: 'code_not_reachable',
        products: ['pkg:npm/a@1.0.0'],
      },
    ]);
  });

  test('SPDX 2 as JSON and as tag-value name the same', () => {
    const json = read({
      spdxVersion: 'SPDX-2.3',
      documentDescribes: ['SPDXRef-app'],
      packages: [
        { SPDXID: 'SPDXRef-app', name: 'app' },
        {
          SPDXID: 'SPDXRef-a',
          name: 'a',
          versionInfo: '1.0',
          externalRefs: [{ referenceType: 'purl', referenceLocator: 'pkg:cargo/a@1.0' }],
        },
        { SPDXID: 'SPDXRef-b', name: 'b', versionInfo: '2', supplier: 'Organization: Acme (x@acme.example)' },
      ],
      relationships: [
        { spdxElementId: 'SPDXRef-app', relationshipType: 'DEPENDS_ON', relatedSpdxElement: 'SPDXRef-a' },
        {
          spdxElementId: 'SPDXRef-b',
          relationshipType: 'TEST_DEPENDENCY_OF',
          relatedSpdxElement: 'SPDXRef-a',
        },
      ],
    });
    const text = read(
      'SPDXVersion: SPDX-2.2\nPackageName: app\nSPDXID: SPDXRef-app\nRelationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-app\nPackageName: a\nSPDXID: SPDXRef-a\nPackageVersion: 1.0\nExternalRef: PACKAGE-MANAGER purl pkg:cargo/a@1.0\nPackageName: b\nSPDXID: SPDXRef-b\nPackageVersion: 2\nPackageSupplier: Organization: Acme (x@acme.example)\nRelationship: SPDXRef-app DEPENDS_ON SPDXRef-a\nRelationship: SPDXRef-b TEST_DEPENDENCY_OF SPDXRef-a\nFileName: ./x\nSPDXID: SPDXRef-x\n',
    );
    expect(shown(json)).toEqual(['pkg:cargo/a@1.0 direct', 'b 2 dev']);
    expect(text.components).toEqual(json.components);
    expect(json.components[1]).toMatchObject({ vendor: 'Acme', ecosystem: null });
  });

  test('SPDX 3 with scopes and VEX', () => {
    const found = read({
      '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
      '@graph': [
        { type: 'SpdxDocument', spdxId: 'd', rootElement: ['app'] },
        { type: 'software_Package', spdxId: 'app', name: 'app' },
        {
          type: 'software_Package',
          spdxId: 'a',
          name: 'a',
          software_packageVersion: '1',
          software_packageUrl: 'pkg:npm/a@1',
        },
        {
          type: 'software_Package',
          spdxId: 'b',
          name: 'b',
          externalIdentifier: [
            { externalIdentifierType: 'cpe23', identifier: 'cpe:2.3:a:b:b:2:*:*:*:*:*:*:*' },
          ],
        },
        { type: 'Relationship', from: 'app', relationshipType: 'dependsOn', to: ['a'] },
        {
          type: 'LifecycleScopedRelationship',
          from: 'app',
          relationshipType: 'dependsOn',
          scope: 'test',
          to: ['b'],
        },
        {
          type: 'security_Vulnerability',
          spdxId: 'v',
          externalIdentifier: [{ identifier: 'CVE-2030-0001' }],
        },
        { type: 'security_VexFixedVulnAssessmentRelationship', from: 'v', to: ['a'] },
      ],
    });
    expect(shown(found)).toEqual(['pkg:npm/a@1 direct', 'b null dev direct']);
    expect(found.statements).toEqual([
      { cveId: 'CVE-2030-0001', status: 'fixed', justification: null, products: ['pkg:npm/a@1'] },
    ]);
  });

  test('OpenVEX has statements and no components', () => {
    const found = read({
      '@context': 'https://openvex.dev/ns/v0.2.0',
      statements: [
        {
          vulnerability: { name: 'CVE-2030-0001' },
          products: [{ '@id': 'pkg:npm/app@1', subcomponents: [{ '@id': 'pkg:npm/a@1' }] }],
          status: 'not_affected',
          justification: 'component_not_present',
        },
        { vulnerability: 'GHSA-x', status: 'fixed' },
      ],
    });
    expect(found.statements.map(({ products }) => products)).toEqual([['pkg:npm/a@1']]);
    expect(found.skipped).toEqual([{ name: 'GHSA-x', reason: 'unreadable' }]);
  });
});

describe('hostile documents', () => {
  const reason = (text: string, format: Parameters<typeof readInventory>[1] = null) => {
    const reading = readInventory(text, format);
    return reading.isRead ? reading.format : reading.reason;
  };

  test('are refused by name', () => {
    expect(reason(' '.repeat(BYTES_MAX + 1))).toBe('too-large');
    expect(reason('{"bomFormat"')).toBe('not-json');
    expect(reason('{}')).toBe('unknown-format');
    expect(reason('<html>')).toBe('unknown-format');
    expect(reason('')).toBe('unknown-format');
    expect(reason('{"bomFormat":"CycloneDX"}', 'spdx')).toBe('wrong-format');
    expect(reason('['.repeat(1_000_000))).toBe('not-json');
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(reason(`{"@context":${nested},"@graph":${nested}}`)).toBe('unknown-format');
    expect(reason(`{"bomFormat":"CycloneDX","components":${nested}}`)).toBe('cyclonedx');
  });

  test('components nested without end and without number are cut', () => {
    let deep: object = { name: 'x', purl: 'pkg:npm/x@0' };
    for (let at = 1; at < 200; at += 1) deep = { name: 'x', purl: `pkg:npm/x@${at}`, components: [deep] };
    const cut = read({ bomFormat: 'CycloneDX', components: [deep] });
    expect(cut.components).toHaveLength(20);
    expect(cut.skipped.at(-1)?.reason).toBe('too-deep');
    const many = read(Array.from({ length: COMPONENTS_MAX + 5 }, (_, at) => `a${at}==1`).join('\n'));
    expect([many.components.length, many.skipped.length]).toEqual([COMPONENTS_MAX, 5]);
  });

  test('names cannot add a version, leave their line or reach a prototype', () => {
    const bom = read({
      bomFormat: 'CycloneDX',
      components: [
        { name: 'a\u202eb\nc', purl: 'pkg:npm/a@1' },
        { name: { toString: 'x' }, purl: 'pkg:npm/b@1' },
        JSON.parse('{"__proto__":{"name":"c"},"purl":"pkg:npm/c@1"}') as object,
      ],
    });
    expect(bom.components.map(({ name }) => name)).toEqual(['ab c']);
    expect(bom.skipped.map(({ reason: why }) => why)).toEqual(['no-name', 'no-name']);
    const lock = read({ lockfileVersion: 3, packages: { 'node_modules/a@2?x=': { version: '1.0.0' } } });
    expect(shown(lock)).toEqual(['pkg:npm/a%402%3Fx%3D@1.0.0']);
  });

  test('a million entries are cut, and the inventory says so', () => {
    const lines = Array.from({ length: 1_000_000 }, (_, at) => (1_000_000 + at).toString(36).slice(-4));
    const cut = read(lines.join('\n'), 'requirements');
    expect(cut.components).toHaveLength(COMPONENTS_MAX);
    expect(cut.skipped[0]).toEqual({ name: 'line 100001 and those after it', reason: 'too-many' });
    const nothing = read(`{"bomFormat":"CycloneDX","components":[${'0,'.repeat(1_000_000)}0]}`);
    expect([nothing.components.length, nothing.skipped.length]).toEqual([0, 1_000]);
  });

  test.each([
    ['gemfile-lock', `GEM\n  remote: x\n  specs:\n${'    rake (13.0.6)\n'.repeat(100_001)}`, 'line'],
    ['package-lock', { lockfileVersion: 3, packages: tooManyPaths }, 'package'],
    [
      'composer-lock',
      { 'content-hash': 'x', packages: Array(100_001).fill({ name: 'a/b', version: '1.0' }) },
      'package',
    ],
    ['cyclonedx', { bomFormat: 'CycloneDX', components: Array(100_001).fill(0) }, 'component'],
    ['spdx', { spdxVersion: 'SPDX-2.3', packages: Array(100_001).fill({}) }, 'package'],
    [
      'openvex',
      { '@context': 'https://openvex.dev/ns/v0.2.0', statements: Array(100_001).fill({}) },
      'statement',
    ],
  ] as const)('%s: entries above the limit are named as skipped', (format, content, noun) => {
    expect(read(content, format).skipped[0]).toEqual({
      name: `${noun} 100001 and those after it`,
      reason: 'too-many',
    });
  });

  test('packages after the hundred thousandth line of an SPDX document are read', () => {
    const files = 'FileName: ./a\n'.repeat(120_000);
    const text = `SPDXVersion: SPDX-2.3\n${files}PackageName: b\nExternalRef: PACKAGE-MANAGER purl pkg:npm/b@1`;
    expect(shown(read(text, 'spdx'))).toEqual(['pkg:npm/b@1']);
  });

  test('dependencies in a circle end', () => {
    const component = (name: string) => ({ name, purl: `pkg:npm/${name}@1`, 'bom-ref': name });
    const bom = read({
      bomFormat: 'CycloneDX',
      metadata: { component: { 'bom-ref': 'a' } },
      components: [component('a'), component('b')],
      dependencies: [
        { ref: 'a', dependsOn: ['b', 'a'] },
        { ref: 'b', dependsOn: ['a'] },
      ],
    });
    expect(bom.components.map(({ name, isDirect }) => [name, isDirect])).toEqual([
      ['a', true],
      ['b', true],
    ]);
    const link = (from: string, to: string) => ({
      spdxElementId: from,
      relationshipType: 'DEPENDS_ON',
      relatedSpdxElement: to,
    });
    const spdx = read({
      spdxVersion: 'SPDX-2.3',
      documentDescribes: ['a'],
      packages: ['a', 'b'].map((id) => ({
        SPDXID: id,
        name: id,
        externalRefs: [{ referenceType: 'purl', referenceLocator: `pkg:npm/${id}@1` }],
      })),
      relationships: [link('a', 'b'), link('b', 'a'), link('a', 'a')],
    });
    expect(spdx.components.map(({ name, isDirect }) => [name, isDirect])).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });

  test('packages that are named like parts of a prototype are packages', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const paths = names.map((name) => `"node_modules/${name}":{"version":"1.0.0"}`).join(',');
    const lock = read(`{"lockfileVersion":3,"packages":{"__proto__":{"version":"6"},${paths}}}`);
    expect(lock.components.map(({ name }) => name)).toEqual(names);
    const nested = read(`{"lockfileVersion":1,"dependencies":{"__proto__":{"version":"1.0.0","dev":true}}}`);
    expect(nested.components.map(({ name, isDev }) => [name, isDev])).toEqual([['__proto__', true]]);
    const pinned = names.slice(1).map((name) => `${name}==1`);
    expect(read(pinned.join('\n')).components).toHaveLength(3);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('version');
  });
});
