export { type Brand, brandOf } from './brand.ts';
export { BRAND_TABLE } from './brand-table.ts';
export {
  type BrandWord,
  belongsTo,
  brandInText,
  brandWord,
  isBrandOfPlatform,
  ownLabels,
} from './brand-words.ts';
export { BRANDS, isWordBrand, ownsBrand } from './brands.ts';
export { findImitated, type Imitation } from './find-imitated.ts';
export { type FoldedText, foldText } from './fold-text.ts';
export { type Lookalike, lookalikeOf, TECHNIQUES, type Technique } from './look-alike.ts';
export { looksLike } from './looks-like.ts';
export { hasLureWord, LURE_WORDS } from './lure-words.ts';
export { type NamedBrand, namedBrandIn } from './named-brand.ts';
export { readableLabel } from './punycode.ts';
export { skeletonOf } from './skeleton.ts';
export {
  type NameForms,
  nameFormsOf,
  type Probes,
  probesOf,
  TRACE_FORMAT,
  type Trace,
  traceOf,
} from './trace.ts';
