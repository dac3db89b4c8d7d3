import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A checkout of the Python client of OASIS; nothing of it is part of this project. */
export const CLIENT_DIR = process.env.TAXII_CLIENT_DIR;
/** The interpreter for which the distribution's packages of requests, tz and six are installed. */
const PYTHON = process.env.TAXII_CLIENT_PYTHON ?? '/usr/bin/python3';
const PROGRAM = join(import.meta.dirname, 'oasis-walk.py');

export type Filters = {
  readonly added_after?: string;
  readonly type?: readonly string[];
  readonly id?: readonly string[];
  readonly version?: readonly string[];
  readonly spec_version?: readonly string[];
};
export type ClientWalk = {
  /** The discovery resource of a root. */
  readonly url: string;
  readonly collection: string;
  readonly resource: 'objects' | 'manifest';
  /** Objects of a page; 0: the client sends no limit. */
  readonly limit: number;
  readonly filters: Filters;
};
export type ClientAnswer = {
  readonly pages: number;
  readonly objects: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
};

/** All walks in one process of the client. Its answers are in the order of the walks. */
export async function walkWithClient(
  credential: string,
  walks: readonly ClientWalk[],
): Promise<{ readonly version: string; readonly answers: readonly ClientAnswer[] }> {
  const [user, password] = Buffer.from(credential, 'base64').toString().split(':');
  const child = spawn(PYTHON, [PROGRAM, CLIENT_DIR ?? ''], {
    env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  child.stdin.end(JSON.stringify({ user, password, walks }));
  const lines: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line));
  const code = await ended;
  if (code !== 0) throw new Error(`The client ended with ${code} after ${lines.length} answers: ${stderr}`);
  const [{ version }, ...answers] = lines as [{ version: string }, ...ClientAnswer[]];
  return { version, answers };
}
