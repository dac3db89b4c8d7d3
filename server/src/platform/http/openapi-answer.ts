import type { JsonSchema } from './json-schema.ts';

export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;
export type Reference = { readonly $ref: string };
export type Answer = {
  readonly description: string;
  readonly headers?: Readonly<
    Record<string, Reference | { readonly description: string; readonly schema: JsonSchema }>
  >;
  readonly content?: Content;
};
