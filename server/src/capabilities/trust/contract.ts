import { z } from 'zod';

export const TrustSchema = z
  .object({
    version: z.literal('1.0'),
    schema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema 2020-12 of `{dataTrust, evidence}` as a check answers them.'),
    fields: z
      .array(
        z.object({
          path: z.string().describe('Such as dataTrust.sources[].name.'),
          type: z.string().describe('One or more JSON types, joined by |.'),
          required: z.boolean(),
          description: z.string(),
          enum: z.array(z.string()).optional(),
        }),
      )
      .describe('The same schema, one field a row.'),
  })
  .meta({ id: 'TrustAssessmentSchema' });
export type TrustSchema = z.infer<typeof TrustSchema>;

/** The schema in the wrapper of every such reply, as decisions 1.8 demands. */
export const TrustSchemaReply = z
  .object({ success: z.literal(true), data: TrustSchema, timestamp: z.string() })
  .meta({ id: 'TrustAssessmentSchemaReply' });
