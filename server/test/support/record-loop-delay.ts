import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into every process of a service by `NODE_OPTIONS=--import=…`: writes how late the event loop was, as a file
 * for each process in the folder LOOP_DELAY_DIR, twice a second. Removing the file starts a new measurement.
 */
const folder = process.env.LOOP_DELAY_DIR;
if (folder !== undefined && isMainThread) {
  const file = `${folder}/${process.pid}.json`;
  const histogram = monitorEventLoopDelay({ resolution: 5 });
  const ms = (ns: number) => Math.round(ns / 1e4) / 100;
  histogram.enable();
  setInterval(() => {
    if (!existsSync(file)) histogram.reset();
    const { max } = histogram;
    const seen = { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(max) };
    writeFileSync(`${file}.new`, JSON.stringify(seen));
    renameSync(`${file}.new`, file);
  }, 500).unref();
}
