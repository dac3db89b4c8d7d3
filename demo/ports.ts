import { createServer } from 'node:net';

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

const TRIED_MAX = 100;

export async function nextFreePort(first: number): Promise<number | null> {
  for (let port = first; port < Math.min(first + TRIED_MAX, 65_536); port += 1)
    if (await isFree(port)) return port;
  return null;
}

export const anyFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address === null || typeof address === 'string'
          ? reject(new Error('No free port on 127.0.0.1.'))
          : resolve(address.port),
      );
    });
  });
