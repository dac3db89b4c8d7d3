import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { LOGGED, type LookupsRig, startLookupsRig } from '#test/lookups-rig.ts';
import { internetDbHost } from '#test/peers/internetdb-peer.ts';
import { rdapDomain, rdapNetwork } from '#test/peers/rdap-peer.ts';

let rig: LookupsRig;
let app: FastifyInstance;
beforeAll(async () => {
  rig = await startLookupsRig();
});
afterAll(() => rig?.close());
beforeEach(() => {
  rig.reset();
  app = rig.serve();
});
const get = async (path: string, from = app) => {
  const response = await from.inject({ method: 'GET', url: path });
  return { status: response.statusCode, headers: response.headers, body: response.json() as unknown };
};
const asked = (pattern: RegExp) => rig.peers.rdap.requests.filter((each) => pattern.test(each)).length;

describe('GET /check/whois', () => {
  test('a domain, a host below it and a URL answer with the registration, which is fetched once', async () => {
    rig.peers.rdap.answers.set('domain/registered.com', { json: rdapDomain('registered.com') });
    const { status, body } = await get('/check/whois?query=registered.com');
    expect(status).toBe(200);
    expect(body).toEqual({
      whois: {
        registrar: 'Example Registrar, Inc.',
        registrant: 'Example Org',
        createdDate: '1999-06-11T04:00:00.000Z',
        updatedDate: '2024-02-03T04:05:06.000Z',
        expiresDate: '2027-06-11T04:00:00.000Z',
        nameServers: ['ns1.example.net', 'ns2.example.net'],
        status: ['client transfer prohibited'],
        handle: 'D1-TEST',
        source: 'rdap',
      },
    });
    for (const query of ['WWW.registered.com.', 'hxxps://a.registered[.]com/login'])
      expect((await get(`/check/whois?query=${encodeURIComponent(query)}`)).body).toEqual(body);
    expect(asked(/domain\/registered\.com/)).toBe(1);
    expect(rig.calls.filter((call) => call === 'admit 1')).toHaveLength(3);
  });

  test('an address answers with the network it lies in', async () => {
    rig.peers.rdap.answers.set('ip/9.9.9.9', { json: rdapNetwork('9.9.9.0', '9.9.9.255') });
    expect((await get('/check/whois?query=9.9.9.9')).body).toMatchObject({
      whois: {
        registrar: null,
        registrant: 'Example Networks BV',
        network: { range: '9.9.9.0 - 9.9.9.255' },
      },
    });
  });

  test('a domain that the registry does not know is the single key null', async () => {
    expect(await get('/check/whois?query=nobody-registered-this.com')).toMatchObject({
      status: 200,
      body: { whois: null },
    });
    expect(Object.keys((await get('/check/whois?query=nobody-registered-this.com')).body as object)).toEqual([
      'whois',
    ]);
  });

  test('an address that is not public is null without a request', async () => {
    const before = rig.peers.rdap.requests.length;
    expect((await get('/check/whois?query=10.1.2.3')).body).toEqual({ whois: null });
    expect(rig.peers.rdap.requests.length).toBe(before);
  });

  test.each([['error'], ['garbage'], ['flood']] as const)(
    'a registry in mode %s: 200, null, and a message that the registry gave no answer',
    async (mode) => {
      rig.peers.rdap.mode = mode;
      const { status, body } = await get(`/check/whois?query=mode-${mode}.com`);
      expect(status).toBe(200);
      expect(body).toEqual({
        whois: null,
        message: expect.stringContaining('says nothing about the target'),
      });
    },
  );

  test(
    bySize(
      'a registry that hangs gives null',
      'a registry that hangs delays the answer by five seconds at most',
    ),
    async () => {
      await get('/check/whois?query=registered.com');
      rig.peers.rdap.mode = 'hang';
      const started = performance.now();
      const { status, body } = await get('/check/whois?query=hanging.com');
      if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(6_000);
      expect(status).toBe(200);
      expect(body).toMatchObject({ whois: null, message: expect.stringContaining('in time') });
    },
  );
});

describe('GET /check/certificates', () => {
  test('the certificate of the host is merged with those of the certificate logs', async () => {
    const { body } = await get('/check/certificates?query=shown.com');
    expect(body).toMatchObject({
      certificates: { subject: expect.stringContaining('shown.com'), isTrusted: true, history: [], total: 0 },
    });
    const { certificates } = body as { certificates: Record<string, unknown> };
    for (const key of ['issuer', 'subject', 'validFrom', 'validTo', 'serialNumber', 'fingerprint'])
      expect(certificates[key]).toEqual(expect.any(String));
  });

  test('without a connection to the host the logs answer, and its trust is unknown', async () => {
    expect((await get(`/check/certificates?query=${LOGGED}`, rig.serve(['ct']))).body).toMatchObject({
      certificates: { isTrusted: null, fingerprint: null, total: 1 },
    });
  });

  test('no certificate anywhere is the single key null', async () => {
    expect((await get('/check/certificates?query=without-any.com', rig.serve(['ct']))).body).toEqual({
      certificates: null,
    });
  });

  test('a search that fails is null with a message', async () => {
    rig.peers.ct.mode = 'error';
    expect((await get('/check/certificates?query=ct-fails.com', rig.serve(['ct']))).body).toEqual({
      certificates: null,
      message: expect.any(String),
    });
  });
});

describe('GET /check/vulnerabilities', () => {
  test('the vulnerabilities of an address have the fields of the contract', async () => {
    rig.peers.internetdb.tell('9.9.9.10', internetDbHost('9.9.9.10', { vulns: ['CVE-2024-6387'] }));
    expect((await get('/check/vulnerabilities?query=9.9.9.10')).body).toMatchObject({
      vulnerabilities: {
        total: 1,
        critical: 0,
        high: 0,
        medium: 0,
        low: 0,
        cves: [{ id: 'CVE-2024-6387', severity: 'UNKNOWN', score: null }],
        ports: [22, 443],
      },
    });
  });

  test('an address that was never scanned is null, never zero vulnerabilities', async () => {
    expect((await get('/check/vulnerabilities?query=9.9.9.11')).body).toEqual({ vulnerabilities: null });
    rig.peers.internetdb.mode = 'error';
    expect((await get('/check/vulnerabilities?query=9.9.9.12')).body).toEqual({
      vulnerabilities: null,
      message: expect.any(String),
    });
  });
});

describe('GET /check/tenant', () => {
  const known = {
    tenantId: '72f988bf-86f1-41af-91ab-2d7cd011db47',
    namespaceType: 'Managed',
    brandName: 'Example Org',
  } as const;

  test('a domain or the host of a URL has a tenant, or null and a message', async () => {
    rig.peers.tenant.tenants.set('tenanted.com', known);
    const { body } = await get('/check/tenant?query=tenanted.com');
    expect(body).toEqual({
      tenant: {
        provider: 'microsoft',
        tenantId: known.tenantId,
        domain: 'tenanted.com',
        namespaceType: 'Managed',
        brandName: 'Example Org',
        region: 'EU',
        cloudInstance: 'microsoftonline.com',
        fetchedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      message: expect.stringContaining('tenanted.com'),
    });
    expect((await get('/check/tenant?query=https://tenanted.com/x')).body).toEqual(body);
    expect((await get('/check/tenant?query=untenanted.com')).body).toEqual({
      tenant: null,
      message: "Microsoft knows no tenant of 'untenanted.com'.",
    });
  });

  test('a lookup that fails is 200 with null and a message (G30)', async () => {
    rig.peers.tenant.mode = 'error';
    expect(await get('/check/tenant?query=tenant-fails.com')).toMatchObject({
      status: 200,
      body: { tenant: null, message: expect.stringContaining('says nothing about the target') },
    });
  });
});

test('the mirror under /api answers the same', async () => {
  expect((await get('/api/check/whois?query=registered.com')).body).toEqual(
    (await get('/check/whois?query=registered.com')).body,
  );
});
