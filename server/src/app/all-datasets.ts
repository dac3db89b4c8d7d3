import { CVE_DATASETS } from '#capabilities/cve/index.ts';
import type { DatasetDefinition } from '#capabilities/datasets/index.ts';
import { RANSOMWARE_DATASETS } from '#capabilities/ransomware/index.ts';

/** The data sets that are no sources of listings, of all capabilities. */
export const ALL_DATASETS: readonly DatasetDefinition[] = [...CVE_DATASETS, ...RANSOMWARE_DATASETS];

/** The data sets under the names that people see. Those of a demonstration are invented, and their names say so. */
export const namedDatasets = (isDemo: boolean): readonly DatasetDefinition[] =>
  isDemo ? ALL_DATASETS.map((each) => ({ ...each, name: `Sample: ${each.name}` })) : ALL_DATASETS;
