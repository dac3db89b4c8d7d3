export { computeLineage } from './lineage/compute-lineage.ts';
export { lineageWorkerPart } from './lineage/jobs.ts';
export { type LineageReport, readLineage } from './lineage/report.ts';
export { reliabilityWorkerPart } from './reliability/jobs.ts';
export { readReliability } from './reliability/report.ts';
