import { spawnSync } from 'node:child_process';
import { compare as comparePep440 } from '@renovatebot/pep440';
import semver from 'semver';
import { compareVersions, type VersionScheme } from '#domain/versions/index.ts';

export type Pair = readonly [string, string];
/** For each pair -1, 0 or 1 by the program that the scheme belongs to; null where that program is not installed. */
type Oracle = (pairs: readonly Pair[]) => readonly number[] | null;

const BYTES_MAX = 64 * 1024 * 1024;
/** Far above what 100,000 comparisons need on busy cores. */
const PROGRAM_MS = 1_500_000;

export const ORACLES: Readonly<Partial<Record<VersionScheme, Oracle>>> = {
  semver: (pairs) => pairs.map(([a, b]) => semver.compare(a, b)),
  pep440: (pairs) => pairs.map(([a, b]) => Math.sign(comparePep440(a, b))),
  rubygems: (pairs) =>
    signsOf(
      'ruby',
      [
        '-e',
        'STDIN.each_line { |l| a, b = l.chomp.split("\\t"); puts(Gem::Version.new(a) <=> Gem::Version.new(b)) }',
      ],
      linesOf(pairs),
    ),
  rpm: (pairs) =>
    signsOf(
      'rpm',
      [
        '--eval',
        '%{lua: for l in io.lines() do local a, b = l:match("^(.-)\\t(.*)$") print(rpm.vercmp(a, b)) print("\\n") end}',
      ],
      linesOf(pairs),
    ),
  // dpkg answers one question a run, so it is asked whether it agrees with our order: one run for each pair.
  dpkg: (pairs) => {
    const questions = pairs.map(([a, b]) => ({ a, b, ours: compareVersions('dpkg', a, b) ?? 0 }));
    const agreed = signsOf(
      'sh',
      [
        '-c',
        'while IFS="\t" read -r a o b; do dpkg --compare-versions "$a" "$o" "$b" 2>/dev/null && echo 1 || echo 0; done',
      ],
      questions.map(({ a, b, ours }) => `${a}\t${['lt', 'eq', 'gt'][ours + 1]}\t${b}\n`).join(''),
    );
    return agreed?.map((agrees, at) => (agrees === 1 ? (questions[at]?.ours ?? 0) : Number.NaN)) ?? null;
  },
};

const linesOf = (pairs: readonly Pair[]): string => pairs.map(([a, b]) => `${a}\t${b}\n`).join('');

function signsOf(program: string, args: readonly string[], input: string): readonly number[] | null {
  const run = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    maxBuffer: BYTES_MAX,
    timeout: PROGRAM_MS,
  });
  if (run.error !== undefined && 'code' in run.error && run.error.code === 'ENOENT') return null;
  if (run.status !== 0) throw new Error(`${program} ended with ${run.status}: ${run.stderr.slice(0, 500)}`);
  return run.stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(Number);
}
