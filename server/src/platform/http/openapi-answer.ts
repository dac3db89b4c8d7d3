import type { JsonSchema } from './json-schema.ts';

/** `x-assay-sample` is a whole event stream as text, where the schema describes the data of one event. */
export type Content = Readonly<
  Record<
    string,
    { readonly schema: JsonSchema; readonly example?: unknown; readonly 'x-assay-sample'?: unknown }
  >
>;
export type Reference = { readonly $ref: string };
export type Answer = {
  readonly description: string;
  readonly headers?: Readonly<
    Record<string, Reference | { readonly description: string; readonly schema: JsonSchema }>
  >;
  readonly content?: Content;
};
