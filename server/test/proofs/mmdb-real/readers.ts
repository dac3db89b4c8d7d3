import { type ExecFileOptions, execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Reader, type Response } from 'mmdb-lib';

/** Programs of others that read a MaxMind DB file: each gives the record of every address as JSON, `null` for none. */
export type MmdbReader = (file: string, addresses: readonly string[]) => Promise<readonly string[]>;

const run = promisify(execFile);
const OPTIONS: ExecFileOptions = { maxBuffer: 512 * 1024 * 1024 };
/** The interpreter for which Debian's packages install their modules. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = `
import json, sys, maxminddb
modes = {'c': maxminddb.MODE_MMAP_EXT, 'python': maxminddb.MODE_MMAP}
with maxminddb.open_database(sys.argv[1], modes[sys.argv[3]]) as reader:
    for line in open(sys.argv[2]):
        print(json.dumps(reader.get(line.strip()), sort_keys=True, separators=(',', ':')))
`;

export const canonical = (record: unknown): string =>
  JSON.stringify(record, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

function addressFile(file: string, addresses: readonly string[]): string {
  const path = `${file}.addresses`;
  writeFileSync(path, `${addresses.join('\n')}\n`);
  return path;
}

const withPython =
  (mode: 'c' | 'python'): MmdbReader =>
  async (file, addresses) => {
    const { stdout } = await run(PYTHON, ['-c', SCRIPT, file, addressFile(file, addresses), mode], OPTIONS);
    return String(stdout).trimEnd().split('\n');
  };

const withMmdbLib: MmdbReader = async (file, addresses) => {
  const reader = new Reader<Response>(readFileSync(file));
  return addresses.map((address) => canonical(reader.get(address)));
};

/** One process for each address; xargs prints the command before the answer, and both go to one stream. */
const withMmdblookup: MmdbReader = async (file, addresses) => {
  const list = addressFile(file, addresses);
  const command = `xargs -a '${list}' -P 1 -n 1 -t mmdblookup --file '${file}' --ip 2>&1 || true`;
  const { stdout } = await run('/bin/sh', ['-c', command], OPTIONS);
  const answers = String(stdout)
    .split(/^mmdblookup --file .*$/m)
    .slice(1);
  return answers.map((answer) => (answer.includes('Could not find an entry') ? 'null' : parseAnswer(answer)));
};

/** Parses the notation of mmdblookup: each value is followed by its type, and array entries by no comma. */
function parseAnswer(answer: string): string {
  const tokens = answer.match(/"(?:[^"\\]|\\.)*"|\d+ <\w+>|[[\]{}:]/g) ?? [];
  let at = 0;
  const value = (): unknown => {
    const token = tokens[at++] ?? '';
    if (token === '{') {
      const map: Record<string, unknown> = {};
      while (tokens[at] !== '}') {
        const key = JSON.parse(tokens[at] as string) as string;
        at += 2;
        map[key] = value();
      }
      at += 1;
      return map;
    }
    if (token === '[') {
      const array: unknown[] = [];
      while (tokens[at] !== ']') array.push(value());
      at += 1;
      return array;
    }
    return token.startsWith('"') ? JSON.parse(token) : Number.parseInt(token, 10);
  };
  return canonical(value());
}

export const READERS: Readonly<Record<string, MmdbReader>> = {
  mmdbLib: withMmdbLib,
  mmdblookup: withMmdblookup,
  pythonC: withPython('c'),
  python: withPython('python'),
};
