import { Agent, request } from 'node:https';
import type { Nginx } from './nginx.ts';

export type Load = {
  /** What became of each request that was not answered with 200. */
  readonly failures: string[];
  readonly sent: () => number;
  readonly done: Promise<void>;
};

export type LoadOptions = {
  readonly nginx: Pick<Nginx, 'port' | 'ca'>;
  readonly credential: string;
  readonly total: number;
  readonly callers: number;
};

const POST_EVERY = 20;

/**
 * Callers with connections that they keep, each sending its next request when the last one is answered: checks, and
 * among them bodies that a proxy may not send twice.
 */
export function startLoad({ nginx, credential, total, callers }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: callers, ca: nginx.ca });
  const failures: string[] = [];
  let sent = 0;
  const one = (nth: number): Promise<string> =>
    new Promise((resolve) => {
      const isPost = nth % POST_EVERY === 0;
      const asked = request(
        {
          agent,
          host: 'localhost',
          port: nginx.port,
          path: isPost ? '/bulk/check' : `/check?query=203.0.114.${nth % 250}`,
          method: isPost ? 'POST' : 'GET',
          headers: { 'X-API-KEY': credential, ...(isPost && { 'content-type': 'application/json' }) },
        },
        (answer) => {
          answer.resume();
          answer.once('end', () => resolve(String(answer.statusCode)));
          answer.once('error', (error) => resolve(error.message));
        },
      );
      asked.once('error', (error) => resolve(error.message));
      asked.end(isPost ? JSON.stringify({ entities: ['203.0.114.7', 'bad.example.com'] }) : undefined);
    });
  const caller = async (): Promise<void> => {
    while (sent < total) {
      sent += 1;
      const nth = sent;
      const outcome = await one(nth);
      if (outcome !== '200') failures.push(`${nth}: ${outcome}`);
    }
  };
  const done = Promise.all(Array.from({ length: callers }, caller)).then(() => agent.destroy());
  return { failures, sent: () => sent, done };
}
