import type { OutwardTemplate } from '../../../service/page-config.ts';
import type { Target } from './check-seen.ts';

export type Outward = { readonly name: string; readonly href: string };

/** The pages of other services about this indicator. */
export const outwardOf = (
  templates: readonly OutwardTemplate[],
  { type, value }: Target,
): readonly Outward[] =>
  templates
    .filter(({ kinds }) => kinds.includes(type))
    .map(({ name, template }) => ({
      name,
      href: template.replaceAll('{value}', () => encodeURIComponent(value.toWellFormed())),
    }));
