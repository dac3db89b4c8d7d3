import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, connect, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { freePort } from '#test/eventually.ts';
import { needPrograms, openFolder, type Ready, readyAfter, startProgram } from './run-program.ts';

export type Lists = { readonly addresses: string; readonly names: string };

export type ListProxy = {
  readonly ready: Ready;
  /** The status of a request from (HAProxy) or to (Squid) an address. */
  readonly askAddress: (address: string) => Promise<number>;
  readonly askName: (name: string) => Promise<number>;
  readonly loadedAddresses: () => Promise<number>;
  readonly loadedNames: () => Promise<number>;
  readonly complaints: () => readonly string[];
  readonly stop: () => Promise<void>;
};

const COMPLAINT = /warn|alert|error|fatal|ignor|duplicate|subnetwork|subdomain/i;
const complaintsIn = (log: string): readonly string[] =>
  log.split('\n').filter((line) => COMPLAINT.test(line));

/** HAProxy: the address is the source of the connection, which the PROXY protocol tells; the name is the host. */
export async function startHaproxy({ addresses, names }: Lists): Promise<ListProxy> {
  needPrograms('haproxy');
  const dir = await openFolder();
  const [byAddress, byName] = [await freePort(), await freePort()];
  const admin = join(dir, 'admin');
  const config = join(dir, 'haproxy.cfg');
  writeFileSync(
    config,
    `global
  stats socket ${admin} mode 600 level admin
  maxconn 256
defaults
  mode http
  timeout connect 30s
  timeout client 30s
  timeout server 30s
frontend addresses
  bind 127.0.0.1:${byAddress} accept-proxy
  acl listed src -f ${addresses}
  http-request deny deny_status 403 if listed
  http-request return status 200
frontend names
  bind 127.0.0.1:${byName}
  acl listed req.hdr(host),host_only,lower -m str -f ${names}
  http-request deny deny_status 403 if listed
  http-request return status 200
`,
  );
  const program = startProgram(dir, 'haproxy', ['-db', '-f', config]);
  const loaded = async (file: string): Promise<number> => {
    const acls = await exchange(admin, 'show acl\n');
    const id = new RegExp(`^(\\d+) \\(${file}\\)`, 'm').exec(acls)?.[1];
    const text = await exchange(admin, `show acl #${id}\n`);
    return text.split('\n').filter((line) => line !== '').length;
  };
  try {
    const ready = await readyAfter(program, () => isOpen(byName));
    return {
      ready,
      askAddress: async (address) => statusOf(await exchange(byAddress, proxied(address))),
      askName: async (name) => statusOf(await exchange(byName, plain(name))),
      loadedAddresses: () => loaded(addresses),
      loadedNames: () => loaded(names),
      complaints: () => complaintsIn(program.log()),
      stop: program.stop,
    };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

const plain = (host: string): string => `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
const proxied = (source: string): string => {
  const [family, target] = isIPv6(source) ? ['TCP6', '::1'] : ['TCP4', '127.0.0.1'];
  return `PROXY ${family} ${source} ${target} 40000 80\r\n${plain('service.example.com')}`;
};
const statusOf = (answer: string): number => Number(/^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1] ?? 0);

/** Squid: requests through the proxy; an origin of this process answers what passes. */
export async function startSquid({ addresses, names }: Lists): Promise<ListProxy> {
  needPrograms('squid');
  const origin = createServer((_, response) => response.end('passed'));
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  const dir = await openFolder();
  const userId = Number(execFileSync('id', ['-u', 'proxy'], { encoding: 'utf8' }));
  await chown(dir, userId, userId);
  const [byAddress, byName] = [await freePort(), await freePort()];
  const config = join(dir, 'squid.conf');
  const originPort = (origin.address() as AddressInfo).port;
  writeFileSync(config, squidConfig({ dir, addresses, names, byAddress, byName, originPort }));
  const program = startProgram(dir, 'squid', ['-N', '-f', config]);
  const cacheLog = () => readFileSync(join(dir, 'cache.log'), 'utf8');
  const agent = new Agent({ keepAlive: true, maxSockets: ASKED_AT_ONCE });
  const stop = async () => {
    agent.destroy();
    await program.stop();
    origin.close();
  };
  const askAddress = (address: string) =>
    throughProxy({ agent, port: byAddress, host: isIPv6(address) ? `[${address}]` : address });
  const askName = (name: string) => throughProxy({ agent, port: byName, host: name });
  try {
    const ready = await readyAfter(program, () => isOpen(byName));
    return {
      ready,
      askAddress,
      askName,
      loadedAddresses: () => deniedOf(addresses, (line) => askAddress(line.replace(/\/\d+$/, ''))),
      loadedNames: () => deniedOf(names, (line) => askName(line.replace(/^\./, ''))),
      complaints: () => complaintsIn(program.log() + cacheLog()),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type SquidSetting = Lists & {
  readonly dir: string;
  readonly byAddress: number;
  readonly byName: number;
  readonly originPort: number;
};

/** A port for each list: a name is compared with names and an address with addresses, and nothing is looked up. */
const squidConfig = ({ dir, addresses, names, byAddress, byName, originPort }: SquidSetting): string =>
  `http_port 127.0.0.1:${byAddress} name=addresses
http_port 127.0.0.1:${byName} name=names
visible_hostname proxy.assay
cache_effective_user proxy
pid_filename ${dir}/squid.pid
coredump_dir ${dir}
cache_log ${dir}/cache.log
access_log none
cache deny all
pinger_enable off
netdb_filename none
shutdown_lifetime 0 seconds
dns_nameservers 127.0.0.1
acl to_addresses myportname addresses
acl to_names myportname names
acl listed_addresses dst "${addresses}"
acl listed_names dstdomain "${names}"
http_access deny to_addresses listed_addresses
http_access deny to_names listed_names
http_access allow localhost
http_access deny all
cache_peer 127.0.0.1 parent ${originPort} 0 no-query no-digest originserver
never_direct allow all
`;

const ASKED_AT_ONCE = 8;

/**
 * Squid 5.7 counts its entries nowhere, and its page of the configuration ends it with a segmentation fault. So every line
 * of the file is asked for.
 */
async function deniedOf(file: string, ask: (line: string) => Promise<number>): Promise<number> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .values();
  let denied = 0;
  const askOn = async () => {
    for (const line of lines) if ((await ask(line)) === 403) denied += 1;
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askOn));
  return denied;
}

type Asked = { readonly agent: Agent; readonly port: number; readonly host: string };

const throughProxy = ({ agent, port, host }: Asked): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { Host: host };
    request({ host: '127.0.0.1', port, path: `http://${host}/`, headers, agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** Writes a text to a port or a socket file, and reads until the other side closes. */
const exchange = (to: number | string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = typeof to === 'number' ? connect(to, '127.0.0.1') : connect(to);
    const pieces: Buffer[] = [];
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    socket.once('end', () => resolve(Buffer.concat(pieces).toString()));
    socket.once('error', reject);
    socket.write(text);
  });
