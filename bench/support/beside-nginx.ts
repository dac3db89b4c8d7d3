import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, freePort } from '../../server/test/support/eventually.ts';
import { writeWrkScript, wrk } from './wrk.ts';

const CONNECTIONS = 8;

export type Nginx = { readonly url: string; readonly stop: () => void };

/** Starts nginx with one worker process that serves one file. */
export async function startNginx(folder: string, name: string, content: string | Buffer): Promise<Nginx> {
  const port = await freePort();
  mkdirSync(join(folder, 'www'));
  writeFileSync(join(folder, 'www', name), content);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${folder}/${each};`)
    .join(' ');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; user root; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 256; }
     http { access_log off; sendfile on; tcp_nopush on; ${temporary}
       server { listen 127.0.0.1:${port}; root ${folder}/www; } }`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually('nginx answers', 10_000, async () => (await fetch(url).catch(() => null)) !== null);
  return { url, stop: () => void child.kill('SIGTERM') };
}

type Side = { readonly url: string; readonly path: string };
/** Downloads a second, by round. */
export type Downloads = { readonly ours: readonly number[]; readonly nginx: readonly number[] };

/** Both sides in turns, with the same keys and connections. */
export async function downloadInTurns(
  sides: { readonly ours: Side; readonly nginx: Side },
  options: {
    readonly folder: string;
    readonly keys: readonly string[];
    readonly rounds: number;
    readonly seconds: number;
  },
): Promise<Downloads> {
  const scriptOf = (side: 'ours' | 'nginx') => join(options.folder, `${side}.lua`);
  const seen: { ours: number[]; nginx: number[] } = { ours: [], nginx: [] };
  for (const side of ['ours', 'nginx'] as const)
    writeWrkScript(scriptOf(side), [sides[side].path], ...options.keys);
  for (let round = 0; round < options.rounds; round += 1)
    for (const side of ['ours', 'nginx'] as const) {
      const result = await wrk(sides[side].url, scriptOf(side), options.seconds, CONNECTIONS);
      if (result.notOk > 0 || result.errors > 0) throw new Error(`${side}: ${JSON.stringify(result)}`);
      seen[side].push(result.requestsPerSecond);
    }
  return seen;
}
