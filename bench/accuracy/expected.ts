import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { corpusDataset } from '../../server/src/capabilities/corpus/index.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { openReplica } from '../../server/src/platform/replica/reader.ts';
import { cutCorpus, readCut, replicaOfCut, signalsOfCut, writeCut } from './cut-corpus.ts';
import { EXPECTED_SHARE_MIN, readExpected } from './expected-table.ts';
import { openJudge } from './judge-corpus.ts';
import { judgeExpected, linesOf, shareExpected } from './judge-expected.ts';
import { readSignals } from './kept-signals.ts';
import { JUDGED_AT_MS } from './measure.ts';
import { readNetworks } from './routed-networks.ts';
import { differencesOf, keepDifferences } from './write-expected.ts';

/**
 * npm run bench:expected -- [--reuse DIR [--signals DIR] [--cut]]
 * Judges the indicators chosen by hand: on a kept replica of the whole corpus (`bench:accuracy -- --keep DIR`), else
 * on the committed cut of it. The differences on the whole corpus go to `bench/results/expected.json`, which
 * `bench:accuracy` puts into its page. `--cut` writes the cut again from the replica; `--signals` takes the signals of another folder.
 */
const { values: flags } = parseArgs({
  options: {
    reuse: { type: 'string' },
    signals: { type: 'string' },
    cut: { type: 'boolean', default: false },
  },
});
const DATA = join(import.meta.dirname, '../../../shared/data');
const rows = readExpected();
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function openWhole(dataDir: string) {
  const [log, clock] = [createLog('silent'), systemClock()];
  return openReplica({ dataDir: resolve(dataDir), dataset: corpusDataset, log, clock });
}

const whole = flags.reuse === undefined ? null : await openWhole(flags.reuse);
const given =
  flags.reuse === undefined
    ? { signals: signalsOfCut(readCut()) }
    : { signals: await readSignals(flags.signals ?? flags.reuse), book: (await readNetworks(DATA)).book };
if (whole !== null && flags.cut) writeCut(cutCorpus(whole, rows, given));
const replica = whole ?? replicaOfCut(readCut());
const answers = judgeExpected(openJudge(replica, JUDGED_AT_MS, given), rows);
for (const line of linesOf(answers)) say(line);
if (whole !== null) keepDifferences(differencesOf(answers));
await whole?.close();
process.exit(shareExpected(answers) >= EXPECTED_SHARE_MIN ? 0 : 1);
