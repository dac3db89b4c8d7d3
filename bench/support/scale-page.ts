/** The part of `bench/results/check.json` that docs/operating/scale.md shows. */
export type CheckFigure = {
  readonly cpuUs: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};
export type CheckScenario = {
  readonly ratio: number;
  readonly silentRatio: number;
  readonly default: CheckFigure;
  readonly silent: CheckFigure;
  readonly bare: CheckFigure;
};
export type SilentNameServer = {
  readonly checks: number;
  readonly waited: number;
  readonly longestMs: number;
  readonly sameNameAgainMs: number;
  readonly waitedLater: number;
  readonly longestLaterMs: number;
};
export type CheckResults = { readonly silentNameServer: SilentNameServer } & {
  readonly [scenario in keyof typeof SCENARIOS]: CheckScenario;
};

const SCENARIOS = {
  'check-listed': 'Listed names',
  'check-unlisted': 'Names that no list has',
  'check-addresses': 'IP addresses, half of them listed',
} as const;
const RATES = [1_000, 10_000, 100_000, 1_000_000];
/** One decision of the meter takes Redis 6.4 us (`npm run bench:meter`). */
const DECISIONS_PER_REDIS_CORE = 150_000;

const count = (value: number): string => value.toLocaleString('en-US');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Returns the table of measured checks, and how long callers wait for a silent name server. */
function checksSection(results: CheckResults): string {
  const rows = Object.entries(SCENARIOS).flatMap(([name, words]) => {
    const of = results[name as keyof typeof SCENARIOS];
    const row = (setting: string, { cpuUs, ...side }: CheckFigure, ratio: number): readonly string[] => [
      words,
      setting,
      `${Math.round(cpuUs)} us`,
      count(side.requestsPerSecond),
      `${side.p50Ms.toFixed(1)} ms`,
      `${side.p99Ms.toFixed(1)} ms`,
      ratio.toFixed(2),
    ];
    return [
      row('default', of.default, of.ratio),
      row('`LIVE_PROVIDERS=dns`, silent name server', of.silent, of.silentRatio),
    ];
  });
  const head = ['Checked', 'Settings', 'CPU a request', 'Requests a second', 'p50', 'p99', 'Speed of bare'];
  const silent = results.silentNameServer;
  return `${table(head, rows)}

With a silent name server and nothing cached, ${silent.waited} of ${silent.checks} new names waited, at most ${silent.longestMs} ms; the first
of them asked again took ${silent.sameNameAgainMs} ms. Once the provider was known to fail, ${silent.waitedLater} of ${silent.checks} new names
waited, and the longest check took ${silent.longestLaterMs} ms.`;
}

/** Returns how many cores a rate of requests takes, computed from the CPU time of the measured checks. */
function trafficSection(results: CheckResults): string {
  const costs = Object.keys(SCENARIOS).map((name) => results[name as keyof typeof SCENARIOS].default.cpuUs);
  const [low, high] = [Math.round(Math.min(...costs)), Math.round(Math.max(...costs))];
  const cores = (rate: number): string => {
    const [from, to] = [low, high].map((us) => Math.max(1, Math.ceil((rate * us) / 1e6)));
    return from === to ? String(from) : `${from} to ${to}`;
  };
  return table(
    ['Requests a second', `API cores (at ${low} to ${high} us each)`, 'Redis cores'],
    RATES.map((rate) => [count(rate), cores(rate), String(Math.ceil(rate / DECISIONS_PER_REDIS_CORE))]),
  );
}

/** Returns docs/operating/scale.md with its two generated parts replaced by the figures of `npm run bench:check`. */
export function withCheckFigures(page: string, results: CheckResults): string {
  const parts = { checks: checksSection(results), traffic: trafficSection(results) };
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [begin, end] = [
      `<!-- BEGIN ${name} (npm run bench:check writes this part) -->`,
      `<!-- END ${name} -->`,
    ];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`scale.md has no part between "${begin}" and "${end}".`);
    return `${text.slice(0, from + begin.length)}\n${part}\n${text.slice(to)}`;
  }, page);
}
