import { CVE_DATASETS } from '#capabilities/cve/index.ts';
import type { DatasetDefinition } from '#capabilities/datasets/index.ts';
import { RANSOMWARE_DATASETS } from '#capabilities/ransomware/index.ts';

/** The data sets that are no sources of listings, of all capabilities. */
export const ALL_DATASETS: readonly DatasetDefinition[] = [...CVE_DATASETS, ...RANSOMWARE_DATASETS];
