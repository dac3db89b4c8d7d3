import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { type Budget, budgetOf } from './judge-budget.ts';

/**
 * Starts the files with the largest budgets first. In a clean clone Vitest knows no times and goes by the bytes of a file, so
 * that a file of 98 s (feed-hostile-files) began near the end of the lane and left one core idle for two minutes.
 */
export class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const budget = JSON.parse(readFileSync(new URL('./budget.json', import.meta.url), 'utf8')) as Budget;
    const secondsOf = ({ project, moduleId }: TestSpecification): number =>
      budgetOf(budget, { project: project.name, file: relative(project.vitest.config.root, moduleId) });
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...projects.values()].flatMap((of) => of.toSorted((a, b) => secondsOf(b) - secondsOf(a)));
  }
}
