export { type Brand, brandOf } from './brand.ts';
export { BRANDS } from './brands.ts';
export { findImitated, type Imitation } from './find-imitated.ts';
export { type Lookalike, lookalikeOf, TECHNIQUES, type Technique } from './look-alike.ts';
export { looksLike } from './looks-like.ts';
export { skeletonOf } from './skeleton.ts';
export { type Probes, probesOf, TRACE_FORMAT, type Trace, traceOf } from './trace.ts';
