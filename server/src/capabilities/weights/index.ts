export type { NameSuspicion } from './count-visits.ts';
export { weightsWorkerPart } from './jobs.ts';
export { type LearnDeps, type LearnReport, learnWeights } from './learn-weights.ts';
export { openWeightBooks, type Weights } from './open-weights.ts';
export type { CountMoves } from './put-into-force.ts';
export { RefusedReference } from './reference-file.ts';
export { releaseWeights } from './release-weights.ts';
export { listVersions, type WeightVersion } from './store.ts';
export { readWeightsState, type WeightsState } from './weights-state.ts';
