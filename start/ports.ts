import { createServer } from 'node:net';

/** Why a program cannot listen there, as the code of the error; null where it can. */
export const portProblem = (port: number, host = '127.0.0.1'): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });

const TRIED_MAX = 100;

export async function nextFreePort(first: number): Promise<number | null> {
  for (let port = first; port < Math.min(first + TRIED_MAX, 65_536); port += 1)
    if ((await portProblem(port)) === null) return port;
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
