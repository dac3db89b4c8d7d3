import { createTestMeter } from './meter.ts';
import { isMeterUnavailable, type ProcessPlan, type ProcessReport } from './meter-processes.ts';

/**
 * An API process reduced to its meter: charges as fast as its in-flight limit allows and counts the answers.
 */
const plan = JSON.parse(process.argv[2] ?? '{}') as ProcessPlan;
const meters = await createTestMeter(plan);
const report: ProcessReport = { granted: 0, units: 0, refused: 0, unavailable: 0, local: 0, slowestMs: 0 };
let asked = 0;

async function askOne(): Promise<void> {
  const startedMs = performance.now();
  const units = plan.units[asked % plan.units.length] ?? 1;
  asked += 1;
  try {
    const answer = await meters.meter.spend({
      accountId: plan.accountId,
      burstId: 'key',
      burstLimit: plan.burstLimit,
      meter: 'checks',
      units,
      monthLimit: plan.monthLimit,
    });
    if (answer.isLocal) report.local += 1;
    if (answer.outcome === 'granted') {
      report.granted += 1;
      report.units += units;
    } else report.refused += 1;
  } catch (error) {
    if (!isMeterUnavailable(error)) throw error;
    report.unavailable += 1;
  }
  report.slowestMs = Math.max(report.slowestMs, performance.now() - startedMs);
}

async function client(): Promise<void> {
  while (asked < plan.requests && report.refused < (plan.refusedMax ?? plan.requests)) {
    await askOne();
    if (plan.pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, plan.pauseMs));
  }
}

process.on('message', (message) => {
  if (message === 'go')
    void Promise.all(Array.from({ length: plan.inFlight }, client))
      // Local grants are settled within a second or two after Redis is back.
      .then(() => new Promise((resolve) => setTimeout(resolve, plan.settleMs)))
      .then(() => meters.close())
      .then(() => process.send?.(report, () => process.exit(0)));
});
process.send?.('ready');
