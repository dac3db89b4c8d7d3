import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '../eventually.ts';

const DOCUMENTED = join(import.meta.dirname, '../../../../integrations/rspamd');
const CONFIGURATION = '/etc/rspamd';
export const HAS_RSPAMD = existsSync('/usr/bin/rspamd') && existsSync(CONFIGURATION);

export type RspamdAnswer = {
  readonly action: string;
  readonly score: number;
  readonly symbols: Readonly<
    Record<string, { readonly score: number; readonly options?: readonly string[] }>
  >;
};

export type Rspamd = {
  readonly url: string;
  readonly workerPid: () => number;
  readonly check: (message: Buffer, ip?: string) => Promise<RspamdAnswer>;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
};

/** Modules that ask servers outside, need Redis, or load lists from the network. */
const NETWORK_MODULES: readonly string[] = [
  'antivirus',
  'asn',
  'bimi',
  'clickhouse',
  'dcc',
  'elastic',
  'fuzzy_check',
  'greylist',
  'history_redis',
  'mx_check',
  'neural',
  'p0f',
  'phishing',
  'ratelimit',
  'rbl',
  'replies',
  'reputation',
  'rspamd_update',
  'surbl',
  'url_redirector',
  'metric_exporter',
  'metadata_exporter',
  'external_services',
  'maillist',
];

export type RspamdOptions = {
  /** A name server on loopback, as `host:port`. */
  readonly dns: string;
  /** Address and key for the documented snippet; null leaves the snippet out. */
  readonly assay: { readonly url: string; readonly key: string } | null;
};

/** An rspamd of its own with one worker, the rules of its package, and nothing that leaves this machine. */
export async function startRspamd({ dns, assay }: RspamdOptions): Promise<Rspamd> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-rspamd-'));
  const port = await freePort();
  for (const name of ['local.d', 'db']) mkdirSync(join(dir, name));
  for (const name of NETWORK_MODULES)
    writeFileSync(join(dir, 'local.d', `${name}.conf`), 'enabled = false;\n');
  if (assay !== null) installSnippet(dir, assay);
  writeFileSync(
    join(dir, 'options.inc'),
    `dns { nameserver = ["${dns}:1"]; timeout = 0.2s; retransmits = 1; }\ncontrol_socket = "${dir}/db/rspamd.sock mode=0600";\n`,
  );
  const main = join(dir, 'rspamd.conf');
  writeFileSync(
    main,
    `.include "$CONFDIR/common.conf"
options {
  pidfile = "${dir}/rspamd.pid";
  .include "$CONFDIR/options.inc"
  .include(priority=10) "${dir}/options.inc"
}
logging { type = "file"; filename = "${dir}/rspamd.log"; level = "info"; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; mime = true; task_timeout = 60s; }
`,
  );
  const owner = statSync('/var/lib/rspamd', { throwIfNoEntry: false });
  for (const path of [dir, join(dir, 'db')]) chownSync(path, owner?.uid ?? 0, owner?.gid ?? 0);
  const variables = [`LOCAL_CONFDIR=${dir}`, `DBDIR=${dir}/db`, `RUNDIR=${dir}`, `LOGDIR=${dir}`];
  const child = spawn(
    'rspamd',
    [
      '-f',
      '-i',
      '-c',
      main,
      '-u',
      '_rspamd',
      '-g',
      '_rspamd',
      ...variables.flatMap((each) => ['--var', each]),
    ],
    { stdio: ['ignore', 'ignore', 'ignore'] },
  );
  const url = `http://127.0.0.1:${port}`;
  const log = () => (existsSync(`${dir}/rspamd.log`) ? readFileSync(`${dir}/rspamd.log`, 'utf8') : '');
  // rspamd compiles its expressions first, which takes a minute on busy cores.
  await eventually(`rspamd answers (${dir}/rspamd.log)`, 300_000, async () => {
    if (child.exitCode !== null) throw new Error(`rspamd ended: ${log().slice(-2_000)}`);
    return fetch(`${url}/ping`).then(
      (answer) => answer.ok,
      () => false,
    );
  });
  return {
    url,
    workerPid: () => workerOf(child.pid ?? 0),
    check: (message, ip) => check(url, message, ip),
    log,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function installSnippet(dir: string, { url, key }: { readonly url: string; readonly key: string }): void {
  for (const name of ['assay.lua', 'rspamd.conf.local']) cpSync(join(DOCUMENTED, name), join(dir, name));
  writeFileSync(join(dir, 'rspamd.local.lua'), `dofile('${dir}/assay.lua')\n`);
  const documented = readFileSync(join(DOCUMENTED, 'assay.conf'), 'utf8');
  writeFileSync(
    join(dir, 'local.d/assay.conf'),
    documented.replace('http://127.0.0.1:8080', url).replace('key = ""', `key = "${key}"`),
  );
}

async function check(url: string, message: Buffer, ip?: string): Promise<RspamdAnswer> {
  const answer = await fetch(`${url}/checkv2`, {
    method: 'POST',
    body: new Uint8Array(message),
    ...(ip !== undefined && { headers: { ip } }),
  });
  if (!answer.ok) throw new Error(`rspamd answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as RspamdAnswer;
}

/** The worker names itself in its command line. */
function workerOf(parent: number): number {
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const isChild = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
        return isChild && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('normal');
      } catch {
        return false;
      }
    });
  if (pid === undefined) throw new Error('rspamd has no worker.');
  return Number(pid);
}
