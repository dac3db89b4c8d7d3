import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type WrkResult = {
  readonly requests: number;
  readonly notOk: number;
  readonly errors: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

/** Writes a wrk script that asks for the paths in turn, and sends the keys in turn. */
export function writeWrkScript(file: string, paths: readonly string[], ...keys: readonly string[]): void {
  writeFileSync(
    file,
    `local paths = {${paths.map((path) => JSON.stringify(path)).join(',')}}
local keys = {${keys.map((key) => JSON.stringify(key)).join(',')}}
local headers = {}
for i, key in ipairs(keys) do headers[i] = { ["X-API-KEY"] = key } end
local n = 0
local k = 0
request = function()
  n = n % #paths + 1
  k = k % #headers + 1
  return wrk.format("GET", paths[n], headers[k])
end
done = function(summary, latency)
  io.write(string.format('\\nJSON {"requests":%d,"notOk":%d,"errors":%d,"requestsPerSecond":%f,"p50Ms":%f,"p99Ms":%f}\\n',
    summary.requests, summary.errors.status, summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`,
  );
}

/**
 * One thread and 64 connections unless told: the load generator shares the machine, so it must leave room for the server.
 * An answer within 10 s is one, because a busy machine must not end a run.
 */
export async function wrk(
  url: string,
  script: string,
  seconds: number,
  connections = 64,
): Promise<WrkResult> {
  const { stdout } = await run('wrk', [
    '-t1',
    '--timeout',
    '10s',
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    script,
    url,
  ]);
  const line = stdout.split('\n').find((text) => text.startsWith('JSON '));
  if (line === undefined) throw new Error(`wrk said: ${stdout}`);
  return JSON.parse(line.slice(5)) as WrkResult;
}
