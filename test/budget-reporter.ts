import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { namedSeconds, type ProcessTimes, readProcesses, treeSeconds } from './cpu-seconds.ts';
import type { FileCostMeta } from './file-cost.ts';
import {
  type Budget,
  budgetOf,
  type FileCost,
  JUDGED_UP_TO,
  overspent,
  slownessOf,
  staleLines,
  sumByProject,
} from './judge-budget.ts';
import { type SpeedSample, SpeedSampler, slownessBetween } from './machine-speed.ts';

const FILE = new URL('./budget.json', import.meta.url);
const MOST_EXPENSIVE = 15;
const ENGINES = ['postgres', 'redis-server'];

/**
 * Prints what the run cost in CPU seconds, by project and by file, and fails a run of the landing lane in which a file
 * broke its budget. Seconds on the wall are not judged: the machine may be busy.
 */
export class BudgetReporter implements Reporter {
  #engines: Record<string, number> = {};
  readonly #sampler = new SpeedSampler();
  readonly #begunMs = new Map<string, number>();
  readonly #endedMs = new Map<string, number>();

  onTestRunStart(): void {
    this.#engines = engineSeconds(readProcesses());
    this.#sampler.start();
    console.log(`seed ${process.env.ASSAY_SEED} (ASSAY_SEED=${process.env.ASSAY_SEED} repeats this run)\n`);
  }

  onTestModuleQueued({ id }: TestModule): void {
    this.#begunMs.set(id, performance.now());
  }

  onTestModuleEnd({ id }: TestModule): void {
    this.#endedMs.set(id, performance.now());
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const samples = this.#sampler.stop();
    const costs = modules.map((module) => this.#costOf(module, samples));
    const budget = JSON.parse(readFileSync(FILE, 'utf8')) as Budget;
    const processes = readProcesses();
    const filesSeconds = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    const shared = Math.max(0, treeSeconds(process.pid, processes) - filesSeconds);
    printProjects(budget, costs, shared);
    printFiles(budget, costs);
    const engines = engineSeconds(processes);
    for (const name of ENGINES)
      console.log(`  ${name}: ${((engines[name] ?? 0) - (this.#engines[name] ?? 0)).toFixed(0)} CPU s`);
    if (process.env.ASSAY_COSTS !== undefined)
      writeFileSync(
        `${process.env.ASSAY_COSTS}.${[...new Set(costs.map(({ project }) => project))].join('-')}.json`,
        JSON.stringify({ shared, costs }),
      );
    if (process.env.ASSAY_BUDGET !== 'enforce') return;
    const slowness = Math.max(
      slownessOf(budget, costs),
      slownessBetween(samples, 0, Number.POSITIVE_INFINITY),
    );
    console.log(`  this machine was ${slowness.toFixed(1)} times slower than the machine of the budgets`);
    const isJudged = slowness <= JUDGED_UP_TO;
    const broken = overspent(budget, costs);
    if (!isJudged) for (const fault of broken) console.log(`\nnot judged on a machine this slow: ${fault}`);
    const faults = [...(isJudged ? broken : []), ...staleLines(budget, costs)];
    for (const fault of faults) console.error(`\nbudget: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }

  #costOf(module: TestModule, samples: readonly SpeedSample[]): FileCost {
    const fromMs = this.#begunMs.get(module.id) ?? 0;
    const toMs = this.#endedMs.get(module.id) ?? Number.POSITIVE_INFINITY;
    return {
      project: module.project.name,
      file: relative(process.cwd(), module.moduleId),
      cpuSeconds: (module.meta() as FileCostMeta).cpuSeconds ?? 0,
      slowness: slownessBetween(samples, fromMs, toMs),
    };
  }
}

const engineSeconds = (processes: readonly ProcessTimes[]): Record<string, number> =>
  Object.fromEntries(ENGINES.map((name) => [name, namedSeconds(name, processes)]));

function printProjects(budget: Budget, costs: readonly FileCost[], shared: number): void {
  console.log('\nCPU seconds by project');
  for (const { project, files, cpuSeconds, budgetSeconds } of sumByProject(budget, costs))
    console.log(
      `  ${project.padEnd(12)} ${String(files).padStart(4)} files ${cpuSeconds.toFixed(0).padStart(6)} of ${budgetSeconds}`,
    );
  console.log(`  ${'shared'.padEnd(12)} ${shared.toFixed(0).padStart(17)} of ${budget.shared}`);
}

function printFiles(budget: Budget, costs: readonly FileCost[]): void {
  console.log(`\nThe ${MOST_EXPENSIVE} most expensive files`);
  const dearest = costs.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, MOST_EXPENSIVE);
  for (const cost of dearest)
    console.log(`  ${cost.cpuSeconds.toFixed(1).padStart(6)} of ${budgetOf(budget, cost)}  ${cost.file}`);
}
