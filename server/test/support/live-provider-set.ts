import type { Certificates, CtHistory, TlsFacts, Whois } from '#capabilities/providers/contract-hosts.ts';
import * as hosts from '#capabilities/providers/contract-hosts.ts';
import * as names from '#capabilities/providers/contract-names.ts';
import * as opinions from '#capabilities/providers/contract-opinions.ts';
import type { ProviderSet } from '#capabilities/providers/create-providers.ts';
import type { Observation } from '#capabilities/providers/observation.ts';
import {
  PROVIDERS,
  type Provider,
  ProviderFailure,
  type ProviderName,
} from '#capabilities/providers/provider.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { type ModalPeer, startModalPeer } from './peers/peer-mode.ts';

export type PeeredSet = {
  readonly set: ProviderSet;
  readonly peers: Readonly<Record<ProviderName, ModalPeer>>;
  readonly observed: readonly Observation[];
  readonly close: () => Promise<void>;
};

const NOW = '2026-06-01T00:00:00.000Z';
const certificate = {
  issuer: 'CN=Issuer',
  subject: 'CN=example.com',
  validFrom: '2020-01-01T00:00:00.000Z',
  validTo: '2100-01-01T00:00:00.000Z',
  serialNumber: '0A',
  fingerprint: 'AA:BB',
} satisfies Partial<Certificates>;

const SAID: Readonly<Record<ProviderName, unknown>> = {
  addresses: { a: ['93.184.215.14'], aaaa: [] },
  dns: {
    hasSPF: true,
    hasDMARC: true,
    hasDKIM: null,
    nameserverCount: 2,
    isParked: false,
    a: [],
    aaaa: [],
    mx: [],
    ns: [],
    spf: null,
    dmarc: null,
    dmarcPolicy: null,
    mxValid: true,
    grade: 'B',
  },
  rdap: {
    registrar: 'Registrar Ltd',
    registrant: null,
    createdDate: NOW,
    updatedDate: null,
    expiresDate: null,
    nameServers: ['ns1.example.com'],
    status: [],
    handle: null,
    source: 'rdap',
  } satisfies Whois,
  tls: {
    certificate,
    names: ['example.com'],
    isTrusted: true,
    problem: null,
    protocol: 'TLSv1.3',
  } satisfies TlsFacts,
  ct: { history: [{ ...certificate, fingerprint: null }], total: 1, names: [] } satisfies CtHistory,
  internetdb: {
    total: 0,
    critical: 0,
    high: 0,
    medium: 0,
    low: 0,
    cves: [],
    ports: [443],
    cpes: [],
    hostnames: [],
    tags: [],
  },
  otx: { source: 'otx', fetchedAt: NOW, pulseCount: 0, moreCount: 0, reputationScore: null, pulses: [] },
  scanner: { threats: [], matched: null },
  web: [{ name: 'nginx', version: null, category: 'server', source: 'header:server' }],
  tenant: {
    provider: 'microsoft',
    tenantId: null,
    domain: 'example.com',
    namespaceType: 'Managed',
    brandName: null,
    region: null,
    cloudInstance: null,
    fetchedAt: NOW,
  },
  intelowl: {
    status: 'completed',
    jobId: 1,
    analyzers: [],
    summary: { malicious: 0, suspicious: 0, clean: 0, total: 0 },
  },
};

type Shape<K, V> = Pick<Provider<K, V>, 'schema' | 'keyOf'>;

/** One HTTP provider with its own peer for every name, so that each can be made to fail. */
export async function startPeeredSet({
  log,
  clock,
}: {
  readonly log: Log;
  readonly clock: Clock;
}): Promise<PeeredSet> {
  const started = await Promise.all(
    PROVIDERS.map(async (name) => {
      const peer = await startModalPeer((_, response) => response.end(JSON.stringify(SAID[name])));
      return [name, peer] as const;
    }),
  );
  const peers = Object.fromEntries(started) as Record<ProviderName, ModalPeer>;
  const allow = started.map(([, { port }]) => `127.0.0.1/32:${port}`);
  const outbound = createOutbound({ log, clock, allow });
  const make = <K, V>(name: ProviderName, shape: Shape<K, V>): Provider<K, V> =>
    httpProvider(name, outbound, peers[name].url, shape);
  const textOf = ({ value }: { readonly value: string }) => value;
  const observed: Observation[] = [];
  const set: ProviderSet = {
    addresses: make('addresses', { schema: names.Addresses, keyOf: textOf }),
    dns: make('dns', { schema: names.DnsFacts, keyOf: textOf }),
    rdap: make('rdap', { schema: hosts.Whois, keyOf: textOf }),
    tls: make('tls', { schema: hosts.TlsFacts, keyOf: textOf }),
    ct: make('ct', { schema: hosts.CtHistory, keyOf: textOf }),
    internetdb: make('internetdb', { schema: hosts.Vulnerabilities, keyOf: textOf }),
    otx: make('otx', {
      schema: opinions.Otx,
      keyOf: ({ indicator, isWhole }) => `${isWhole ? 'whole' : 'part'}:${indicator.value}`,
    }),
    scanner: make('scanner', { schema: opinions.ScannerVerdict, keyOf: textOf }),
    web: make('web', { schema: hosts.Technologies, keyOf: textOf }),
    tenant: make('tenant', { schema: names.Tenant, keyOf: textOf }),
    intelowl: make('intelowl', {
      schema: opinions.IntelOwlReport,
      keyOf: ({ type, value }) => `${type}:${value}`,
    }),
    observations: {
      record: (some) => void observed.push(...some),
      byPivot: async () => ({ rows: [], total: 0 }),
      bySubject: async () => ({ rows: [], total: 0 }),
      close: async () => undefined,
    },
  };
  return {
    set,
    peers,
    observed,
    close: async () => {
      await outbound.close();
      await Promise.all(started.map(([, peer]) => peer.close()));
    },
  };
}

function httpProvider<K, V>(
  name: ProviderName,
  outbound: Outbound,
  url: string,
  shape: Shape<K, V>,
): Provider<K, V> {
  return {
    ...shape,
    name,
    upstreamOf: () => name,
    // Longer than a busy machine needs; a test of silent peers is about the caller's own budget.
    deadlineMs: 30_000,
    atOnceMax: 16,
    freshMs: 60_000,
    absentMs: 60_000,
    keepMs: 0,
    ask: async (key, { signal, deadlineMs }) => {
      const asked = `${url}/${encodeURIComponent(shape.keyOf(key))}`;
      const fetched = await outbound.fetch(asked, {
        signal,
        deadlineMs,
        bytesMax: 64 * 1024,
        schemes: ['http'],
      });
      const text = await fetched.text();
      if (fetched.status !== 200) throw new ProviderFailure('upstream', `Status ${fetched.status}.`);
      return { value: JSON.parse(text) as V };
    },
  };
}
