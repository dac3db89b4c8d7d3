/** CPU seconds by project and file, as `test/budget.json` keeps them. */
export type Budget = {
  /** The main process and the work that files share: the dashboard's build, the template database, shared services. */
  readonly shared: number;
  readonly projects: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

export type FileCost = {
  readonly project: string;
  readonly file: string;
  readonly cpuSeconds: number;
  /** How much slower than the budgets the machine was while the file ran (`slownessBetween`). */
  readonly slowness: number;
};

/** The budget of a file that `test/budget.json` does not name; most files cost less. */
export const UNNAMED_FILE_SECONDS = 4;
/** A file may use this many times its budget. */
const TOLERANCE = 1.5;
/** A file may always use this much above its budget: one garbage collection or pause of the core is not its fault. */
const SLACK_SECONDS = 4;
/** With fewer files the median says too little about the machine. */
const SLOWNESS_FILES_MIN = 10;
/**
 * Above this slowness, CPU seconds say more about the machine than about the files: pauses of 700 ms were counted as the
 * CPU time of a loop of 4 ms. The lane then prints what it would have said, and does not fail.
 */
export const JUDGED_UP_TO = 1.5;

export const budgetOf = (budget: Budget, { project, file }: Pick<FileCost, 'project' | 'file'>): number =>
  budget.projects[project]?.[file] ?? UNNAMED_FILE_SECONDS;

/**
 * How many times slower this machine is than that of the budgets, at least 1: the median over the files with a budget.
 * A busy machine makes the same work cost more CPU in every file; one file that became dearer does not move the median.
 */
export function slownessOf(budget: Budget, costs: readonly FileCost[]): number {
  const shares = costs
    .flatMap(({ project, file, cpuSeconds }) => {
      const seconds = budget.projects[project]?.[file];
      return seconds === undefined ? [] : [cpuSeconds / seconds];
    })
    .toSorted((a, b) => a - b);
  return shares.length < SLOWNESS_FILES_MIN ? 1 : Math.max(1, shares[shares.length >> 1] ?? 1);
}

/** One sentence for each file that broke its budget. */
export function overspent(budget: Budget, costs: readonly FileCost[]): readonly string[] {
  const slowness = slownessOf(budget, costs);
  const allowedFor = (cost: FileCost) => {
    const seconds = budgetOf(budget, cost);
    return Math.max(seconds * TOLERANCE, seconds + SLACK_SECONDS) * Math.max(slowness, cost.slowness);
  };
  return costs
    .filter((cost) => cost.cpuSeconds > allowedFor(cost))
    .map((cost) => {
      const [spent, allowed] = [cost.cpuSeconds.toFixed(1), budgetOf(budget, cost)];
      return (
        `${cost.file} used ${spent} CPU seconds of its budget of ${allowed} (one and a half times is allowed, and at least ${SLACK_SECONDS} seconds more). ` +
        `Make it cheaper, move the costly form to the proofs lane with bySize(), or raise its line in test/budget.json.`
      );
    });
}

/** Lines of the budget whose file no longer exists in a project that ran. */
export function staleLines(budget: Budget, costs: readonly FileCost[]): readonly string[] {
  const ran = Map.groupBy(costs, ({ project }) => project);
  return [...ran].flatMap(([project, costsOfProject]) => {
    const known = new Set(costsOfProject.map(({ file }) => file));
    return Object.keys(budget.projects[project] ?? {})
      .filter((file) => !known.has(file))
      .map((file) => `test/budget.json names ${file} in ${project}, which did not run. Remove the line.`);
  });
}

export type ProjectCost = {
  readonly project: string;
  readonly files: number;
  readonly cpuSeconds: number;
  readonly budgetSeconds: number;
};

export function sumByProject(budget: Budget, costs: readonly FileCost[]): readonly ProjectCost[] {
  return [...Map.groupBy(costs, ({ project }) => project)].map(([project, files]) => ({
    project,
    files: files.length,
    cpuSeconds: files.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    budgetSeconds: files.reduce((sum, file) => sum + budgetOf(budget, file), 0),
  }));
}
