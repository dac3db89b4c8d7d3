import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from './eventually.ts';

const DOCUMENTED = join(import.meta.dirname, '../../../deploy/nginx/assay.conf');

/** A real proxy before the nodes of a test. */
export type Nginx = {
  readonly port: number;
  readonly plainPort: number;
  /** The certificate that callers have to trust. */
  readonly ca: string;
  readonly errors: () => string;
  readonly stop: () => Promise<void>;
};

/** Each replacement must be found: a line of the documented file that is gone is a mistake of this list. */
export function replaceAll(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The file of the proxy has no longer: ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}

/**
 * A real nginx with the documented configuration before one or two nodes. `changes` shorten its times, so that a test
 * does not wait for them.
 */
export async function startNginx(
  nodes: readonly string[],
  changes: readonly (readonly [string, string])[] = [],
): Promise<Nginx> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-nginx-'));
  const [port, plainPort] = [await freePort(), await freePort()];
  const [first = '', second = first] = nodes.map((node) => new URL(node).host);
  makeCertificate(dir);
  const documented = replaceAll(readFileSync(DOCUMENTED, 'utf8'), [
    ['server 10.0.0.11:8080', `server ${first}`],
    ['server 10.0.0.12:8080', `server ${second}`],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['server_name assay.example.com;', 'server_name localhost;'],
    ['/etc/ssl/assay/fullchain.pem', join(dir, 'cert.pem')],
    ['/etc/ssl/assay/privkey.pem', join(dir, 'key.pem')],
    ...changes,
  ]);
  for (const name of ['body', 'proxy', 'other']) mkdirSync(join(dir, name));
  const temporary = ['fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/other;`).join(' ');
  const main = `daemon off; user root; worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log warn;
    events { worker_connections 2048; }
    http { access_log off; client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; ${temporary}
    ${documented} }`;
  writeFileSync(join(dir, 'nginx.conf'), main);
  const child = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', join(dir, 'error.log')], {
    stdio: 'ignore',
  });
  const errors = () => readFileSync(join(dir, 'error.log'), 'utf8');
  await eventually(`nginx listens (${dir}/error.log)`, 10_000, () => isOpen(port));
  return {
    port,
    plainPort,
    ca: readFileSync(join(dir, 'cert.pem'), 'utf8'),
    errors,
    stop: async () => {
      await ended(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export function makeCertificate(dir: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...key, ...name, '-out', 'cert.pem'], {
    cwd: dir,
    stdio: 'ignore',
  });
}

export const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  // A proxy that stops may wait for open streams.
  const kill = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await gone;
  clearTimeout(kill);
}
