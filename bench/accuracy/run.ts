import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { corpusDataset } from '../../server/src/capabilities/corpus/index.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { loadConfig } from '../../server/src/platform/config.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { openReplica } from '../../server/src/platform/replica/reader.ts';
import { drawChart } from './draw-chart.ts';
import { failuresOf } from './gates.ts';
import { importDataSet, urlsFile } from './import-data-set.ts';
import { readSignals } from './kept-signals.ts';
import { type Accuracy, measureAccuracy } from './measure.ts';
import { figuresOf, tablesOf } from './print-figures.ts';
import { readNetworks } from './routed-networks.ts';
import { readDifferences } from './write-expected.ts';
import { readForward } from './write-forward.ts';
import { writeReport } from './write-report.ts';
import { readSignalDays } from './write-signals.ts';

/**
 * npm run bench:accuracy -- [--keep DIR | --reuse DIR] [--print]
 * Measures how right the score is: imports the whole data set with its own dates and judges every listed key once.
 * `--keep` leaves the replica for the next run, `--reuse` uses it, `--print` does not write the committed files.
 */
const { values: flags } = parseArgs({
  options: {
    keep: { type: 'string' },
    reuse: { type: 'string' },
    print: { type: 'boolean', default: false },
  },
});
const PROJECT = join(import.meta.dirname, '../..');
const DATA = join(PROJECT, '../shared/data');
const [clock, log] = [systemClock(), createLog('silent')];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function measure(dataDir: string): Promise<Accuracy> {
  const replica = await openReplica({ dataDir, dataset: corpusDataset, log, clock });
  try {
    return await measureAccuracy({
      replica,
      urlsPath: urlsFile(dataDir),
      data: DATA,
      given: { signals: await readSignals(dataDir), book: (await readNetworks(DATA)).book },
      monotonic: clock.monotonic,
    });
  } finally {
    await replica.close();
  }
}

async function importInto(dataDir: string): Promise<void> {
  const startMs = clock.monotonic();
  await importDataSet(loadConfig().DATABASE_URL, DATA, dataDir);
  say(`imported, clustered and replicated in ${Math.round((clock.monotonic() - startMs) / 1_000)} s`);
}

function keep(accuracy: Accuracy): void {
  const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? 'unknown' };
  const results = join(PROJECT, 'bench/results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'accuracy.json'), `${JSON.stringify({ machine, ...accuracy }, null, 1)}\n`);
  writeFileSync(
    join(PROJECT, 'docs/accuracy.md'),
    writeReport(accuracy, readForward(), readDifferences(), readSignalDays()),
  );
  writeFileSync(join(PROJECT, 'docs/accuracy.svg'), drawChart(accuracy));
}

/** Current anonymous memory; the replica's file is mapped and not counted. */
const anonymousMb = (): number =>
  Math.round(
    Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1_024,
  );

async function run(): Promise<boolean> {
  const kept = flags.reuse ?? flags.keep;
  const dataDir = kept === undefined ? mkdtempSync(join(tmpdir(), 'assay-bench-accuracy-')) : resolve(kept);
  try {
    mkdirSync(dataDir, { recursive: true });
    if (flags.reuse === undefined) await importInto(dataDir);
    let peakMb = 0;
    const timer = setInterval(() => {
      peakMb = Math.max(peakMb, anonymousMb());
    }, 50);
    const accuracy = await measure(dataDir);
    clearInterval(timer);
    for (const line of [...tablesOf(accuracy), ...figuresOf(accuracy)]) say(line);
    say(`accuracy peak-anonymous-mb ${Math.max(peakMb, anonymousMb())}`);
    if (!flags.print) keep(accuracy);
    const failures = failuresOf(accuracy);
    for (const failure of failures) say(`gate failed: ${failure}`);
    return failures.length === 0;
  } finally {
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}

if (!existsSync(join(DATA, 'MANIFEST.json')))
  say('There is no ../shared/data/MANIFEST.json beside the project: nothing to measure.');
else if (!(await run())) process.exitCode = 1;
process.exit();
