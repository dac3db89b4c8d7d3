import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '../eventually.ts';

const DOCUMENTED = join(import.meta.dirname, '../../../../integrations/postfix');
export const HAS_POSTFIX = existsSync('/usr/lib/postfix/sbin/master');

export type Postfix = {
  readonly port: number;
  readonly reinjectPort: number;
  readonly queued: () => number;
  readonly held: () => number;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
};

export type PostfixChanges = {
  /** More lines of main.cf. */
  readonly main?: string;
  /** Replacements in the documented lines of master.cf. */
  readonly changes?: readonly (readonly [from: string, to: string])[];
};

const SERVICES = `pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;

/** A Postfix of its own with the documented lines, which hands everything to the bridge and then to the sink. */
export async function startPostfix(
  bridgePort: number,
  sinkPort: number,
  { main = '', changes = [] }: PostfixChanges = {},
): Promise<Postfix> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-postfix-'));
  chmodSync(dir, 0o755);
  for (const name of ['queue', 'data', 'etc']) mkdirSync(join(dir, name));
  execFileSync('chown', ['postfix', join(dir, 'data')]);
  const [port, reinjectPort] = [await freePort(), await freePort()];
  const read = (name: string) =>
    readFileSync(join(DOCUMENTED, name), 'utf8')
      .replaceAll('127.0.0.1]:10025', `127.0.0.1]:${bridgePort}`)
      .replaceAll('127.0.0.1:10026', `127.0.0.1:${reinjectPort}`);
  const master = changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`integrations/postfix/master.cf has no longer: ${from}`);
    return text.replace(from, to);
  }, read('master.cf'));
  writeFileSync(
    join(dir, 'etc/main.cf'),
    `compatibility_level = 3.6
queue_directory = ${dir}/queue
data_directory = ${dir}/data
daemon_directory = /usr/lib/postfix/sbin
command_directory = /usr/sbin
maillog_file = ${dir}/mail.log
maillog_file_prefixes = ${dir}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.example.net
mydestination =
alias_maps =
relay_domains = example.net
relayhost = [127.0.0.1]:${sinkPort}
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_client_connection_rate_limit = 0
smtpd_client_connection_count_limit = 0
queue_run_delay = 2s
minimal_backoff_time = 2s
maximal_backoff_time = 4s
in_flow_delay = 0
smtp_tls_security_level = none
${read('main.cf')}${main}`,
  );
  writeFileSync(join(dir, 'etc/master.cf'), `127.0.0.1:${port} inet n - n - - smtpd\n${SERVICES}${master}`);
  const child = spawn('postfix', ['-c', join(dir, 'etc'), 'start-fg'], { stdio: 'ignore' });
  const log = () => (existsSync(`${dir}/mail.log`) ? readFileSync(`${dir}/mail.log`, 'utf8') : '');
  await eventually(`Postfix listens (${dir}/mail.log)`, 30_000, () => isOpen(port));
  // A file keeps its name when it moves to another queue meanwhile, so it is counted once.
  const count = (...queues: string[]) =>
    new Set(
      queues
        .flatMap((queue) => readdirSync(join(dir, 'queue', queue), { recursive: true, withFileTypes: true }))
        .flatMap((file) => (file.isFile() ? [file.name] : [])),
    ).size;
  return {
    port,
    reinjectPort,
    queued: () => count('maildrop', 'incoming', 'active', 'deferred'),
    held: () => count('hold'),
    log,
    stop: async () => {
      await stopPostfix(child, dir);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function stopPostfix(child: ChildProcess, dir: string): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  execFileSync('postfix', ['-c', join(dir, 'etc'), 'stop'], { stdio: 'ignore' });
  await ended;
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
