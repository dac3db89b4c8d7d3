import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from './eventually.ts';
import { ended, isOpen, makeCertificate, type Nginx, replaceAll, startNginx } from './nginx.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');

/** A proxy with its file of deploy. `Limits` shortens what a test would wait for. */
export type RunningProxy = Omit<Nginx, 'errors'>;
export type ProxyKind = {
  readonly name: string;
  readonly isInstalled: boolean;
  readonly start: (nodes: readonly string[], limits?: 'shortened') => Promise<RunningProxy>;
  /** The proxy limits the connections of one address. */
  readonly limitsConnections: boolean;
};

const isInstalled = (program: string, flag: string): boolean =>
  spawnSync(program, [flag]).error === undefined;

type Prepared = {
  readonly file: string;
  readonly text: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly dir: string;
  readonly ports: readonly [number, number];
};

async function run({
  file,
  text,
  program,
  args,
  dir,
  ports: [port, plainPort],
}: Prepared): Promise<RunningProxy> {
  writeFileSync(join(dir, file), text);
  const out = openSync(join(dir, 'log'), 'a');
  const child: ChildProcess = spawn(program, args, {
    stdio: ['ignore', out, out],
    env: { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
  });
  try {
    await eventually(`${program} listens`, 10_000, () => {
      if (child.exitCode !== null)
        throw new Error(`${program} ended: ${readFileSync(join(dir, 'log'), 'utf8')}`);
      return isOpen(port);
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    port,
    plainPort,
    ca: readFileSync(join(dir, 'cert.pem'), 'utf8'),
    stop: async () => {
      await ended(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function prepare(name: string): Promise<Pick<Prepared, 'dir' | 'ports'>> {
  const dir = mkdtempSync(join(tmpdir(), `assay-${name}-`));
  makeCertificate(dir);
  return { dir, ports: [await freePort(), await freePort()] };
}
const hostsOf = (nodes: readonly string[]): readonly [string, string] => {
  const [first = '', second = first] = nodes.map((node) => new URL(node).host);
  return [first, second];
};

const HAPROXY: ProxyKind = {
  name: 'HAProxy',
  isInstalled: isInstalled('haproxy', '-v'),
  limitsConnections: true,
  start: async (nodes, limits) => {
    const { dir, ports } = await prepare('haproxy');
    const [port, plainPort] = ports;
    const [first, second] = hostsOf(nodes);
    const pem = join(dir, 'both.pem');
    writeFileSync(pem, ['cert.pem', 'key.pem'].map((name) => readFileSync(join(dir, name), 'utf8')).join(''));
    const text = replaceAll(readFileSync(join(DEPLOY, 'haproxy/haproxy.cfg'), 'utf8'), [
      ['10.0.0.11:8080', first],
      ['10.0.0.12:8080', second],
      ['bind :80\n', `bind 127.0.0.1:${plainPort}\n`],
      ['bind :443 ssl', `bind 127.0.0.1:${port} ssl`],
      ['/etc/ssl/assay/assay.pem', pem],
      ...(limits === undefined
        ? []
        : ([
            ['timeout server 65s', 'timeout server 1s'],
            ['sc0_conn_cur gt 200', 'sc0_conn_cur gt 3'],
          ] as const)),
    ]);
    const file = 'haproxy.cfg';
    return run({ dir, ports, file, text, program: 'haproxy', args: ['-db', '-f', join(dir, file)] });
  },
};

const CADDY: ProxyKind = {
  name: 'Caddy',
  isInstalled: isInstalled('caddy', 'version'),
  limitsConnections: false,
  start: async (nodes, limits) => {
    const { dir, ports } = await prepare('caddy');
    const [port, plainPort] = ports;
    const [first, second] = hostsOf(nodes);
    const text = replaceAll(readFileSync(join(DEPLOY, 'caddy/Caddyfile'), 'utf8'), [
      // Two upstreams with one address are one to Caddy, so a single node is named once.
      ['10.0.0.11:8080 10.0.0.12:8080', first === second ? first : `${first} ${second}`],
      [
        '\tauto_https disable_redirects',
        `\tauto_https disable_redirects\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port ${plainPort}\n\thttps_port ${port}`,
      ],
      ['http://assay.example.com {', `http://localhost:${plainPort} {`],
      ['\nassay.example.com {', `\nhttps://localhost:${port} {\n\ttls ${dir}/cert.pem ${dir}/key.pem`],
      ...(limits === undefined ? [] : ([['import nodes 65s', 'import nodes 1s']] as const)),
    ]);
    const file = 'Caddyfile';
    const args = ['run', '--adapter', 'caddyfile', '--config', join(dir, file)];
    return run({ dir, ports, file, text, program: 'caddy', args });
  },
};

const NGINX: ProxyKind = {
  name: 'nginx',
  isInstalled: true,
  limitsConnections: true,
  start: (nodes, limits) =>
    startNginx(
      nodes,
      limits === undefined
        ? []
        : [
            ['proxy_read_timeout 65s;', 'proxy_read_timeout 1s;'],
            ['limit_conn assay_address 200;', 'limit_conn assay_address 3;'],
          ],
    ),
};

export const PROXIES = { nginx: NGINX, haproxy: HAPROXY, caddy: CADDY } as const;
