import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { corpusDataset } from '../server/src/capabilities/corpus/index.ts';
import { parseTable } from '../server/src/capabilities/weights/table-file.ts';
import { parseIndicator } from '../server/src/domain/indicator/index.ts';
import { MODEL } from '../server/src/domain/scoring/index.ts';
import {
  type LearnedTable,
  oneInOf,
  SHIPPED_TABLE,
  textOfTable,
} from '../server/src/domain/weights/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { openReplica } from '../server/src/platform/replica/reader.ts';
import { visitedHosts } from './accuracy/evaluation-data.ts';
import { importDataSet } from './accuracy/import-data-set.ts';
import { openJudge } from './accuracy/judge-corpus.ts';
import { bookOf, type Half, isIn, learnOn } from './accuracy/learn-on-hosts.ts';
import { listTurnovers } from './accuracy/list-turnover.ts';
import { JUDGED_AT_MS } from './accuracy/measure.ts';

/**
 * npm run bench:weights -- [--keep DIR | --reuse DIR]
 * Learns the weights from the data set and the visited hosts beside it, and prints every cell, the turnover of the lists with
 * a history, and the gates: visited hosts at block with weights that were learned on the other half of them, and the points of
 * blp-phishing alone. `--keep` leaves the replica and the learned tables for the next run, `--reuse` uses them.
 */
const { values: flags } = parseArgs({ options: { keep: { type: 'string' }, reuse: { type: 'string' } } });
const DATA = join(import.meta.dirname, '../../shared/data');
const HALVES: readonly Half[] = ['all', 0, 1];
/** At most these shares of visited hosts, in percent, and points. */
const GATES = { crossedPercent: 0.002, blpPhishing: 34 } as const;
const [clock, log] = [systemClock(), createLog('silent')];
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const tableFile = (dataDir: string, half: Half): string => join(dataDir, `weights-${half}.json`);

async function importAndLearn(dataDir: string): Promise<void> {
  await importDataSet(loadConfig().DATABASE_URL, DATA, dataDir, async (system) => {
    for (const half of HALVES) {
      const startMs = clock.monotonic();
      const table = await learnOn(half, { system, data: DATA, dataDir, nowMs: JUDGED_AT_MS });
      writeFileSync(tableFile(dataDir, half), textOfTable(table));
      const peakMb = Math.round(process.resourceUsage().maxRSS / 1_024);
      say(
        `learned on ${half} in ${Math.round((clock.monotonic() - startMs) / 1_000)} s, peak memory ${peakMb} MB`,
      );
    }
  });
}

const readTable = (dataDir: string, half: Half): LearnedTable =>
  parseTable(readFileSync(tableFile(dataDir, half), 'utf8'));

function printCells({ cells, reference }: LearnedTable): void {
  const shipped = new Map(SHIPPED_TABLE.cells.map((cell) => [`${cell.source} ${cell.group}`, cell]));
  say(`weights reference ${reference.id} hosts ${reference.hosts} scale ${reference.scale ?? 1}`);
  for (const { source, group, n, h, f, points } of cells) {
    const before = shipped.get(`${source} ${group}`);
    const than =
      before === undefined ? 'not shipped' : `shipped n ${before.n} h ${before.h} points ${before.points}`;
    say(`weights cell ${source} ${group} n ${n} h ${h} 1-in ${oneInOf(f)} points ${points} (${than})`);
  }
}

async function printTurnovers(): Promise<void> {
  for await (const { list, judged, left, ended, returned } of listTurnovers(DATA))
    say(
      `weights turnover ${list} judged ${judged} r30 ${percent(left, judged)} % ended ${ended} back30 ${percent(returned, ended)} %`,
    );
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : ((100 * part) / whole).toFixed(1);

/** The share of the visited hosts of one half, in percent, that stand accused at block by weights of a table. */
async function atBlock(dataDir: string, table: LearnedTable, half: Half): Promise<number> {
  const replica = await openReplica({ dataDir, dataset: corpusDataset, log, clock });
  try {
    const judge = openJudge(replica, JUDGED_AT_MS, { weights: bookOf(table) });
    let [hosts, blocked] = [0, 0];
    for await (const host of visitedHosts(DATA)) {
      const parsed = isIn(half, host) ? parseIndicator(host) : null;
      if (parsed === null || !parsed.ok) continue;
      hosts += 1;
      const { threats, assessment } = judge.sample(parsed.indicator);
      if (threats.length > 0 && assessment.verdict.riskScore.score >= MODEL.levels.high) blocked += 1;
    }
    say(`weights visited-block learned-on ${table.reference.id} half ${half}: ${blocked} of ${hosts}`);
    return (100 * blocked) / hosts;
  } finally {
    await replica.close();
  }
}

async function run(): Promise<boolean> {
  const kept = flags.reuse ?? flags.keep;
  const dataDir = kept === undefined ? mkdtempSync(join(tmpdir(), 'assay-bench-weights-')) : resolve(kept);
  try {
    mkdirSync(dataDir, { recursive: true });
    if (flags.reuse === undefined) await importAndLearn(dataDir);
    const whole = readTable(dataDir, 'all');
    printCells(whole);
    await printTurnovers();
    say(`weights visited-block-percent ${(await atBlock(dataDir, whole, 'all')).toFixed(4)}`);
    const crossed = [
      await atBlock(dataDir, readTable(dataDir, 0), 1),
      await atBlock(dataDir, readTable(dataDir, 1), 0),
    ];
    say(`weights visited-block-crossed ${crossed.map((share) => share.toFixed(4)).join(' ')}`);
    const solo = whole.cells.find(({ source }) => source === 'blp-phishing')?.points ?? Number.NaN;
    say(`weights solo blp-phishing ${solo}`);
    return crossed.every((share) => share <= GATES.crossedPercent) && solo <= GATES.blpPhishing;
  } finally {
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}

if (!existsSync(join(DATA, 'MANIFEST.json')))
  say('There is no ../shared/data/MANIFEST.json beside the project: nothing to measure.');
else if (!(await run())) {
  say('gate failed');
  process.exitCode = 1;
}
process.exit();
