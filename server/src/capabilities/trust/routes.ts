import type { Clock } from '#platform/clock.ts';
import { KEYED } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { TrustSchemaReply } from './contract.ts';
import { describeTrust } from './describe-trust.ts';

export type TrustDeps = { readonly clock: Clock };

export const trustRoutes = ({ clock }: TrustDeps): readonly Route[] => {
  let kept: ReturnType<typeof describeTrust> | undefined;
  return [
    route({
      method: 'GET',
      path: '/trust/assessment/schema',
      summary: 'Every field of `dataTrust` and `evidence`, as a JSON Schema and as a list.',
      description: 'Generated from the schemas that shape the answers of a check, so both always agree.',
      tags: ['Platform'],
      policy: { ...KEYED, since: '1.1.0' },
      reply: TrustSchemaReply,
      handle: () => {
        kept ??= describeTrust();
        return { success: true as const, data: kept, timestamp: new Date(clock.now()).toISOString() };
      },
    }),
  ];
};
