import { z } from 'zod';
import { DataTrust, Evidence } from '#capabilities/check/index.ts';
import type { TrustSchema } from './contract.ts';

type JsonSchema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
};
type Field = TrustSchema['fields'][number];

/** Built from the schemas that shape the answers of a check, so that the description cannot differ from the answers. */
export function describeTrust(): TrustSchema {
  const schema = z.toJSONSchema(z.object({ dataTrust: DataTrust, evidence: Evidence }), {
    target: 'draft-2020-12',
    io: 'output',
    // The ids name components of the API description, which a schema that stands alone does not have.
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
    },
  });
  return { version: '1.0', schema, fields: fieldsOf(schema as JsonSchema) };
}

/** One row for each field, in the order of the schema. */
function fieldsOf(root: JsonSchema): Field[] {
  const resolve = (schema: JsonSchema): JsonSchema => {
    const named = schema.$ref === undefined ? undefined : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    return named === undefined ? schema : { ...named, ...schema };
  };
  const below = (schema: JsonSchema, path: string): Field[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      at(resolve(property), path === '' ? name : `${path}.${name}`, schema.required?.includes(name) === true),
    );
  const at = (schema: JsonSchema, path: string, required: boolean): Field[] => {
    const forms = (schema.anyOf ?? [schema]).map(resolve);
    const words = forms.find((form) => form.enum !== undefined)?.enum;
    const field: Field = {
      path,
      type: forms.map(({ type }) => type ?? 'any').join('|'),
      required,
      description: [schema, ...forms].find(({ description }) => description !== undefined)?.description ?? '',
      ...(words !== undefined && { enum: [...words] }),
    };
    return [field, ...forms.flatMap((form) => within(form, path))];
  };
  const within = (form: JsonSchema, path: string): Field[] => {
    if (form.items !== undefined) return below(resolve(form.items), `${path}[]`);
    return typeof form.additionalProperties === 'object'
      ? below(resolve(form.additionalProperties), `${path}.*`)
      : below(form, path);
  };
  return below(root, '');
}
