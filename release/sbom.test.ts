import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { LockFile } from './lock-file.ts';
import { makeSbom } from './sbom.ts';

/** The part of the CycloneDX 1.6 JSON schema that we write. Strict: a field outside of it fails. */
const Hash = z.strictObject({
  alg: z.enum(['MD5', 'SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']),
  content: z.string().regex(/^([a-f0-9]{32}|[a-f0-9]{40}|[a-f0-9]{64}|[a-f0-9]{96}|[a-f0-9]{128})$/),
});
const Component = z.strictObject({
  type: z.enum(['application', 'library']),
  'bom-ref': z.string().min(1).optional(),
  group: z.string().min(1).optional(),
  name: z.string().min(1),
  version: z.string().min(1),
  scope: z.enum(['required', 'optional', 'excluded']).optional(),
  hashes: z.array(Hash).min(1).optional(),
  licenses: z
    .array(z.strictObject({ expression: z.string().min(1) }))
    .length(1)
    .optional(),
  purl: z
    .string()
    .regex(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/)
    .optional(),
});
const Bom = z.strictObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  version: z.int().min(1),
  metadata: z.strictObject({
    timestamp: z.iso.datetime(),
    tools: z.strictObject({ components: z.array(Component).min(1) }),
    component: Component,
  }),
  components: z.array(Component),
  dependencies: z.array(z.strictObject({ ref: z.string().min(1), dependsOn: z.array(z.string().min(1)) })),
});

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as LockFile;
const about = {
  version: '1.2.3',
  timestamp: '2026-11-16T00:00:00.000Z',
  uuid: '3e671687-395b-41f5-a30f-a58921a69b79',
};
const sbom = makeSbom(lock, about);
const named = (name: string) => sbom.components.find((each) => each.name === name);

describe('the bill of materials', () => {
  test('has the shape of CycloneDX 1.6', () => {
    expect(Bom.safeParse(structuredClone(sbom)).error).toBeUndefined();
  });

  test('a field that CycloneDX does not have is refused by this test', () => {
    expect(Bom.safeParse({ ...sbom, origin: 'here' }).success).toBe(false);
  });

  test('names every package of the lock file once, and our three', () => {
    const refs = sbom.components.map((each) => each['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    const expected = Object.entries(lock.packages).filter(([path, { link }]) => path !== '' && link !== true);
    expect(refs.length).toBe(expected.length);
  });

  test('its graph joins components that exist, each once, from the root to the last', () => {
    const known = new Set(['assay', ...sbom.components.map((each) => each['bom-ref'])]);
    const edges = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    expect(edges.size).toBe(sbom.dependencies.length);
    for (const [ref, dependsOn] of edges) {
      expect(known.has(ref), ref).toBe(true);
      expect(new Set(dependsOn).size, ref).toBe(dependsOn.length);
      for (const needed of dependsOn) expect(known.has(needed), `${ref} to ${needed}`).toBe(true);
    }
    expect(edges.get('assay')).toEqual(expect.arrayContaining(['@assay/server', '@assay/sdk', '@assay/web']));
    expect(edges.get('@assay/server')).toContain('node_modules/fastify');
    expect(edges.get('@assay/web')).toContain('@assay/sdk');
  });

  test('says what runs, what only builds, and what depends on the platform', () => {
    expect(named('fastify')?.scope).toBe('required');
    expect(named('vitest')?.scope).toBe('excluded');
    expect(named('lmdb-linux-x64')).toMatchObject({ group: '@lmdb', scope: 'optional' });
  });

  test('a hash of the lock file is the same hash in hexadecimal', () => {
    const integrity = lock.packages['node_modules/fastify']?.integrity ?? '';
    const [hash] = named('fastify')?.hashes ?? [];
    expect(`sha512-${Buffer.from(hash?.content ?? '', 'hex').toString('base64')}`).toBe(integrity);
    expect(hash?.alg).toBe('SHA-512');
  });
});
