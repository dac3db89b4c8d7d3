import { z } from 'zod';
import { ActionCase, CaseEvidence, Verified } from './contract.ts';

const hash = z.string().describe('Hexadecimal.');
const Path = z
  .array(z.object({ side: z.enum(['left', 'right']), hash }))
  .describe('The sibling on each level of the Merkle tree, nearest first.');

const ExportedSeal = z
  .object({
    day: z.string(),
    headText: z.string().describe('The head of this case as it was sealed.'),
    headPath: Path,
    sealText: z.string().describe('The seal of the account: `headPath` leads to its `headsRoot`.'),
    path: Path.nullable().describe('From the hash of the seal to the root; null until the root is written.'),
    root: z.string().nullable().describe('The public root of the day.'),
  })
  .describe('The newest seal of the case, with everything that leads to the public root of its day.');
export type ExportedSeal = z.infer<typeof ExportedSeal>;

/** Everything a third party needs to verify the hashes and the seal of a case. */
export const ExportedCase = z
  .object({
    format: z.literal('assay-case/1'),
    exportedAt: z.string(),
    case: ActionCase.omit({ evidence: true }),
    chain: z.object({ first: hash, head: hash, length: z.int() }),
    evidence: z.array(
      CaseEvidence.extend({
        position: z.int(),
        text: z
          .string()
          .nullable()
          .describe('What was hashed after the hash before; null where the stored piece was damaged.'),
      }),
    ),
    verification: Verified,
    seal: ExportedSeal.nullable(),
  })
  .meta({ id: 'ExportedCase' });
export type ExportedCase = z.infer<typeof ExportedCase>;
