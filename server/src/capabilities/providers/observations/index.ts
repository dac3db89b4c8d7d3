export { createObservations } from './observations.ts';
