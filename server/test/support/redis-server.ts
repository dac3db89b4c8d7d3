import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { eventually, freePort } from './eventually.ts';

export type RedisServer = {
  readonly url: string;
  readonly port: number;
  /** Suspends the process; connections stay open and silent. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** Runs one command on a separate connection. */
  readonly run: (...argv: string[]) => Promise<unknown>;
  readonly stop: () => Promise<void>;
};

/** A separate Redis that a test may stop, kill or fill. Its port is a free one unless the settings name one. */
export async function startRedisServer(...settings: string[]): Promise<RedisServer> {
  const named = settings.indexOf('--port');
  const port = named === -1 ? await freePort() : Number(settings[named + 1]);
  const dir = mkdtempSync(join(tmpdir(), 'assay-redis-'));
  const url = `redis://127.0.0.1:${port}`;
  const run = () =>
    spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir, ...settings],
      { stdio: 'ignore' },
    );
  let child: ChildProcess;
  const start = async () => {
    child = run();
    await eventually('Redis answers', 60_000, async () => {
      // Starts again, because another process's connection may hold the port for a moment and end the server.
      if (child.exitCode !== null) child = run();
      return answers(url);
    });
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url,
    port,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill,
    restart: start,
    run: (...argv) => runOn(url, argv),
    stop: async () => {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export async function runOn(url: string, argv: string[]): Promise<unknown> {
  const client = createClient({ url, RESP: 2, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.sendCommand(argv);
  } finally {
    client.destroy();
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await runOn(url, ['PING'])) === 'PONG';
  } catch {
    return false;
  }
}
