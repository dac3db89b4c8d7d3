import { spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '../eventually.ts';

export type KnotPeer = {
  readonly server: string;
  readonly close: () => Promise<void>;
};

/** A real name server (Knot DNS) on loopback; `zones` maps the name of a zone to the lines of its file. */
export async function startKnotPeer(zones: Readonly<Record<string, readonly string[]>>): Promise<KnotPeer> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'assay-knot-'));
  for (const [zone, lines] of Object.entries(zones))
    writeFileSync(join(dir, `${zone}.zone`), zoneText(zone, lines));
  const config = join(dir, 'knot.conf');
  writeFileSync(config, configText(dir, port, Object.keys(zones)));
  const child = spawn('knotd', ['-c', config], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const server = `127.0.0.1:${port}`;
  await eventually('Knot answers', 20_000, () => answers(server, Object.keys(zones)));
  return {
    server,
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const zoneText = (zone: string, lines: readonly string[]): string =>
  [
    `$ORIGIN ${zone}.`,
    '$TTL 300',
    `@ 3600 SOA ns1.${zone}. admin.${zone}. 1 3600 600 86400 120`,
    ...lines,
    '',
  ].join('\n');

const configText = (dir: string, port: number, zones: readonly string[]): string =>
  [
    'server:',
    `    rundir: "${dir}"`,
    `    listen: 127.0.0.1@${port}`,
    '    udp-workers: 1',
    '    tcp-workers: 1',
    '    background-workers: 1',
    'database:',
    `    storage: "${dir}"`,
    'template:',
    '  - id: default',
    `    storage: "${dir}"`,
    '    file: "%s.zone"',
    '    zonefile-load: whole',
    'zone:',
    ...zones.map((zone) => `  - domain: ${zone}`),
    '',
  ].join('\n');

async function answers(server: string, zones: readonly string[]): Promise<boolean> {
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([server]);
  const found = await Promise.allSettled(zones.map((zone) => resolver.resolveSoa(zone)));
  return found.every(({ status }) => status === 'fulfilled');
}
